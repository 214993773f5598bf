// The filter that all posts with a name share: by number, text and status.
import type { Context } from '../../context.ts'
import type { InputFields } from '../../graphql/builder.ts'
import { searches } from '../../graphql/limits/complexity.ts'
import { RecordStatus } from '../enums.ts'
import type { PostKind, RecordKind } from '../kinds.ts'
import { inStatus, readable, refusedStatus, shown } from '../lifecycle/status.ts'
import { fieldWith } from '../text/search.ts'
import { inLanguage } from '../text/served-text.ts'
import { mustExist, resolveReferences } from './references.ts'

export const postFilterFields = (t: InputFields, plural: string) => ({
  include: t.intList({ description: `These ${plural}.` }),
  search: t.string({
    description:
      'With all these words, or parts of words, in one field: name, description, excerpt, or how to get there or in touch. Of locked ones only the name is searched.',
    extensions: searches,
  }),
  mustExist: t.boolean(mustExist),
  status: t.field({ type: [RecordStatus], description: 'In one of these; by default in any but the trash.' }),
})

interface PostFilter {
  readonly mustExist?: boolean | null | undefined
  readonly include?: number[] | null | undefined
  readonly search?: string | null | undefined
  readonly status?: readonly (typeof RecordStatus.$inferType)[] | null | undefined
}

/** Other records that the filter names, by its field. */
type References = Readonly<Record<string, readonly [kind: RecordKind, ids: readonly number[] | null | undefined]>>

/** Conditions that all apply. Throws badInput that names all records which must exist and do not. */
export async function postWhere(
  kind: Exclude<PostKind, 'event'>,
  filter: PostFilter,
  context: Context,
  references: References = {},
) {
  await resolveReferences(
    {
      refused: refusedStatus(filter.status, context.viewer),
      mustExist: filter.mustExist,
      include: filter.include,
      numbers: references,
    },
    context,
  )
  const text = filter.search == null ? undefined : await fieldWith(kind, filter.search, context)
  return [
    readable(context),
    filter.status ? inStatus(filter.status, context) : shown(context),
    inLanguage(context),
    ...(filter.include ? [{ id: { in: filter.include } }] : []),
    ...(text ? [text] : []),
  ]
}
