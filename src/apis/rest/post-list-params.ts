// The list parameters of venues and organizers (contract c.14).

import { toRecordStatus } from '../../basics/record-status.ts'
import type { Plural } from '../../kinds.ts'
import {
  legacySearch,
  lenientFlag,
  nonEmptyText,
  type Params,
  pageParams,
  positiveInteger,
  recordPassword,
  statusList,
} from './params.ts'
import type { LegacyStatus } from './text.ts'
import { formatFlag, type Query } from './urls.ts'

const allListParams = (plural: string) => ({
  ...pageParams,
  search: nonEmptyText.optional().describe(`Only ${plural} with all these words in one field.`),
  event: positiveInteger.optional().describe(`Only ${plural} of this event.`),
  has_events: lenientFlag
    .optional()
    .describe(`True: only ${plural} with events. False: only ${plural} without events.`),
  only_with_upcoming: lenientFlag.default(false).describe(`Only ${plural} of an event that starts now or later.`),
  status: statusList.optional().describe(`Status of the ${plural}.`),
  password: recordPassword,
})

/** Events have no parameters about linked events. */
export function postListParams(plural: Plural): ReturnType<typeof allListParams> {
  const params = allListParams(plural)
  if (plural !== 'events') return params
  const { event: _, has_events: __, only_with_upcoming: ___, ...others } = params
  return others as typeof params
}

type PostListParams = Partial<Params<ReturnType<typeof allListParams>>>

/** The part of the filter that GraphQL may reject: references to records, and statuses that need a permission. */
const postReferences = ({ event, status }: PostListParams) => ({
  mustExist: true,
  ...(event !== undefined && { event }),
  status: status?.map(toRecordStatus),
})

/** Search does not cover the trash. */
const isSearchable = (status: LegacyStatus) => status !== 'trash'

const postFilter = (params: PostListParams) => ({
  ...postReferences(params.search === undefined ? params : { ...params, status: params.status?.filter(isSearchable) }),
  ...legacySearch(params.search),
  ...(params.has_events !== undefined && { hasEvents: params.has_events }),
  // Without this filter a cached response does not depend on events, so false is left out.
  ...(params.only_with_upcoming && { onlyWithUpcoming: true }),
})

/** The query string of links to the list, in the order of contract c.13. */
const postQuery = (params: PostListParams): Query => ({
  event: params.event,
  has_events: formatFlag(params.has_events),
  status: params.status?.join(','),
  search: params.search,
  only_with_upcoming: params.only_with_upcoming ? '1' : undefined,
})

/** The list of venues or organizers. */
export const postList = (plural: Plural) => ({
  order: 'newest first',
  params: postListParams(plural),
  references: postReferences,
  variables: (params: PostListParams) => ({ variables: { filter: postFilter(params) }, query: postQuery(params) }),
})

/** What the routes of venues and organizers have in common. */
export const namedPostRoutes = {
  readParams: { password: recordPassword },
  creation: ', or returns the existing one with the same name',
  creationInput: () => ({ orExisting: true }),
}
