// The list parameters that venues and organizers share (contract c.14).
import { lenientFlag, nonEmptyText, pageParams, positiveInteger, recordPassword, statusList } from './params.ts'
import { graphStatus, type LegacyStatus } from './text.ts'
import { type Query, shownFlag } from './urls.ts'

export const linkedParams = (plural: string) => ({
  ...pageParams,
  search: nonEmptyText.optional().describe(`Only ${plural} with all these words in one field.`),
  event: positiveInteger.optional().describe(`Only ${plural} of this event.`),
  has_events: lenientFlag.optional().describe(`Only ${plural} that have events, or only others.`),
  only_with_upcoming: lenientFlag.default(false).describe(`Only ${plural} of an event that starts now or later.`),
  status: statusList.optional().describe(`Status of the ${plural}.`),
  password: recordPassword,
})

interface LinkedParams {
  readonly search?: string | undefined
  readonly event?: number | undefined
  readonly has_events?: boolean | undefined
  readonly only_with_upcoming?: boolean | undefined
  readonly status?: readonly LegacyStatus[] | undefined
}

/** The part of the filter that names records, and what else the graph may refuse. */
export const namedByLinked = ({ event, status }: LinkedParams) => ({
  mustExist: true,
  event,
  status: status?.map(graphStatus),
})

/** What is in the trash is not searched. */
const searched = (status: LegacyStatus) => status !== 'trash'

export const linkedFilter = (params: LinkedParams) => ({
  ...namedByLinked(params.search === undefined ? params : { ...params, status: params.status?.filter(searched) }),
  search: params.search,
  hasEvents: params.has_events,
  // False is no filter: an answer without it depends on no event.
  onlyWithUpcoming: params.only_with_upcoming || undefined,
})

/** The parameters that links carry, in contract c.13's order. */
export const linkedQuery = (params: LinkedParams): Query => ({
  event: params.event,
  has_events: shownFlag(params.has_events),
  status: params.status?.join(','),
  search: params.search,
  only_with_upcoming: params.only_with_upcoming ? '1' : undefined,
})
