// Filters that all lists share, and filters of venues and organizers (contract c.14).

import type { InputShapeFromFields } from '@pothos/core'
import type { Prisma } from '../../generated/prisma/client.ts'
import { kinds, type PostKind, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { complexity, nameComplexity } from '../../service/graphql/limits/complexity.ts'
import { RecordStatus } from '../rules/enums.ts'
import { idDescription } from '../rules/identify.ts'
import { unlockedFilter } from '../rules/record-password.ts'
import { publishedFilter, readableFilter, statusErrors, statusFilter, untrashedInListsFilter } from '../rules/status.ts'
import { reachableEventsFilter } from '../rules/visibility.ts'
import { matchPostFields } from '../search/matches.ts'
import { inLanguageFilter } from '../text/served-text.ts'
import { hasBound, InstantRange, toDateFilter } from './date-range.ts'
import { mustExistOptions, type ReferencedIds, resolveReferences } from './references.ts'
import { addSearchModeField } from './search-input.ts'

/** Input fields of the filters of all kinds, by languages of the texts. */
export function translationFilterFields(t: InputFields, kind: RecordKind) {
  const [records, text] = [kinds[kind].plural, kind === 'event' ? 'title' : 'name']
  return {
    translatedInto: t.field({
      type: [LanguageCode],
      description: `Only ${records} whose ${text} was written in at least one of these languages.`,
    }),
    missingTranslation: t.field({
      type: [LanguageCode],
      description: `Only ${records} that lack a ${text} of their own in at least one of these languages.`,
    }),
  }
}

type TranslationFilter = InputShapeFromFields<ReturnType<typeof translationFilterFields>>

const isNamed = { written: { has: 'name' } }

/** Returns conditions on the languages of texts. Every record has a row of text in each language of the site. */
export const translationConditions = ({ translatedInto, missingTranslation }: TranslationFilter) => [
  ...(translatedInto ? [{ texts: { some: { language: { in: [...translatedInto] }, ...isNamed } } }] : []),
  ...(missingTranslation ? [{ texts: { some: { language: { in: [...missingTranslation] }, NOT: isNamed } } }] : []),
]

type Kind = Exclude<PostKind, 'event'>

/** Complexity of filters by linked events: the database looks up the events of each record. */
const linkComplexity = complexity({ weight: 20 })

/** Input fields of the filters of events, venues and organizers. */
export const commonPostFilterFields = (t: InputFields, kind: PostKind) => ({
  include: t.idList({ description: `Only these ${kinds[kind].plural}. ${idDescription(kind)}` }),
  searchMode: addSearchModeField(t),
  mustExist: t.boolean(mustExistOptions),
  status: t.field({
    type: [RecordStatus],
    description: 'Only records with one of these values of `status`; by default all but TRASH.',
  }),
  authors: t.idList({ description: `Only records by one of these authors. ${idDescription('user')}` }),
  modifiedAt: t.field({ type: InstantRange, description: 'Only records whose last modification is in this range.' }),
  ...translationFilterFields(t, kind),
})

type SharedFilter = InputShapeFromFields<ReturnType<typeof commonPostFilterFields>>

export const commonPostConditions = (filter: SharedFilter, ids: ReferencedIds, context: Context) => [
  ...(filter.include ? [{ id: { in: ids.include ?? [] } }] : []),
  ...(filter.status ? [statusFilter(filter.status, context)] : []),
  ...(filter.authors ? [{ AND: [{ authorId: { not: null } }, { authorId: { in: ids.authors ?? [] } }] }] : []),
  ...(hasBound(filter.modifiedAt) ? [{ modifiedAt: toDateFilter(filter.modifiedAt) }] : []),
  ...translationConditions(filter),
]

export const postFilterFields = (t: InputFields, kind: Kind) => ({
  ...commonPostFilterFields(t, kind),
  search: t.string({
    description:
      'Words that must all occur in name, description, excerpt, address or contact, also in other forms; with SUBSTRING parts of words, all in one field. Of locked records, only the name is searched.',
    extensions: nameComplexity,
  }),
})

/** Input fields of the filters of venues and organizers, to which events link. */
export const eventLinkFilterFields = (t: InputFields) => ({
  event: t.id({ description: `Only records that this event links to. ${idDescription('event')}` }),
  hasEvents: t.boolean({
    description:
      'True: only records that a published event links to, also one that is hidden from lists, or a private event that you may read. False: only records without such an event.',
    extensions: linkComplexity,
  }),
  onlyWithUpcoming: t.boolean({
    description: 'True: only records that an event links to that has not started yet.',
    extensions: linkComplexity,
  }),
})

type PostFilter = InputShapeFromFields<ReturnType<typeof postFilterFields>> &
  Partial<InputShapeFromFields<ReturnType<typeof eventLinkFilterFields>>>
type Where = Prisma.VenueWhereInput & Prisma.OrganizerWhereInput

/** Converts the filter to conditions that combine with AND. Throws badInputError for invalid references. */
export async function postFilterConditions(
  kind: Kind,
  filter: PostFilter,
  context: Context,
  withUnlisted = false,
): Promise<Where[]> {
  const ids = await resolveReferences(
    {
      errors: statusErrors(filter.status, context.viewer),
      mustExist: filter.mustExist,
      include: [kind, filter.include],
      records: { event: ['event', filter.event], authors: ['user', filter.authors] },
    },
    context,
  )
  const text =
    filter.search == null
      ? undefined
      : await matchPostFields(kind, filter.search, filter.searchMode ?? 'words', context)
  const filters: Where[] = [
    readableFilter(context),
    ...(filter.status || withUnlisted ? [] : [untrashedInListsFilter(context)]),
    inLanguageFilter(context),
    ...commonPostConditions(filter, ids, context),
    ...(text ? [text] : []),
  ]
  if (filter.event != null) {
    filters.push({ events: { some: { eventId: ids.event?.[0] ?? 0, event: reachableEventsFilter(context) } } })
  }
  if (filter.hasEvents != null) {
    const link = { event: countableEvents(context) }
    filters.push({ events: filter.hasEvents ? { some: link } : { none: link } })
  }
  if (filter.onlyWithUpcoming) {
    filters.push({
      events: { some: { event: { AND: [reachableEventsFilter(context), { startsAt: { gte: context.now } }] } } },
    })
  }
  return filters
}

/** Events that `hasEvents` counts: no drafts and no scheduled events (QUIRK-30). */
const countableEvents = (context: Context): Prisma.EventWhereInput => ({
  AND: [
    readableFilter(context),
    unlockedFilter(context),
    { OR: [publishedFilter(context.now), { live: false, status: 'private' }] },
  ],
})
