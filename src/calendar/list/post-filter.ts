// Filters that venues and organizers share: by ID, text, status, author and modification date.

import { kinds, type PostKind, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { nameComplexity } from '../../service/graphql/limits/complexity.ts'
import { RecordStatus } from '../rules/enums.ts'
import { idDescription } from '../rules/identify.ts'
import { inStatus, readable, statusErrors, untrashedInLists } from '../rules/status.ts'
import { fieldMatches } from '../search/posts.ts'
import { inLanguage } from '../text/served-text.ts'
import { hasBound, InstantRange, type Range, toDateFilter } from './date-range.ts'
import { mustExist, resolveReferences } from './references.ts'
import { searchModeField } from './search-input.ts'
import { type TranslationFilter, translationFilterFields, translationWhere } from './translation-filter.ts'

export const postFilterFields = (t: InputFields, kind: RecordKind) => ({
  include: t.idList({ description: `Only these ${kinds[kind].plural}. ${idDescription(kind)}` }),
  search: t.string({
    description:
      'Words that must all occur in name, description, excerpt, address or contact, also in other forms; with SUBSTRING parts of words, all in one field. Of locked records, only the name is searched.',
    extensions: nameComplexity,
  }),
  searchMode: searchModeField(t),
  mustExist: t.boolean(mustExist),
  status: t.field({
    type: [RecordStatus],
    description: 'Only records with one of these values of `status`; by default all but TRASH.',
  }),
  authors: t.idList({ description: `By one of these authors. ${idDescription('user')}` }),
  modifiedAt: t.field({ type: InstantRange, description: 'When it was last modified.' }),
  ...translationFilterFields(t, kind),
})

interface PostFilter extends TranslationFilter {
  readonly mustExist?: boolean | null | undefined
  readonly include?: readonly string[] | null | undefined
  readonly search?: string | null | undefined
  readonly searchMode?: 'words' | 'substring' | null | undefined
  readonly status?: readonly (typeof RecordStatus.$inferType)[] | null | undefined
  readonly authors?: readonly string[] | null | undefined
  readonly modifiedAt?: Range<Date> | null | undefined
}

/** IDs of other records in the filter, by field. */
type References = Readonly<Record<string, readonly [kind: RecordKind, id: string | null | undefined]>>

/** Conditions that all apply, and the database IDs of the references by field. Throws badInput for invalid references. */
export async function postWhere(
  kind: Exclude<PostKind, 'event'>,
  filter: PostFilter,
  context: Context,
  references: References = {},
) {
  const ids = await resolveReferences(
    {
      errors: statusErrors(filter.status, context.viewer),
      mustExist: filter.mustExist,
      include: [kind, filter.include],
      records: { ...references, authors: ['user', filter.authors] },
    },
    context,
  )
  const text =
    filter.search == null ? undefined : await fieldMatches(kind, filter.search, filter.searchMode ?? 'words', context)
  const conditions = [
    readable(context),
    filter.status ? inStatus(filter.status, context) : untrashedInLists(context),
    inLanguage(context),
    ...(filter.include ? [{ id: { in: ids.include ?? [] } }] : []),
    ...translationWhere(filter),
    ...(filter.authors ? [{ AND: [{ authorId: { not: null } }, { authorId: { in: ids.authors ?? [] } }] }] : []),
    ...(hasBound(filter.modifiedAt) ? [{ modifiedAt: toDateFilter(filter.modifiedAt) }] : []),
    ...(text ? [text] : []),
  ]
  return { conditions, ids }
}
