// The list parameters of venues and organizers (contract c.14).

import { toRecordStatus } from '../../basics/record-status.ts'
import { kinds, type Plural } from '../../kinds.ts'
import {
  legacySearch,
  lenientFlag,
  nonEmptyText,
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

type ListParams = ReturnType<typeof allListParams>

/** Kinds that events do not link to have no parameters about events. */
export function postListParams(plural: Plural): ListParams {
  const params = allListParams(plural)
  if ((kinds.event.links as readonly string[]).includes(plural)) return params
  const { event: _, has_events: __, only_with_upcoming: ___, ...others } = params
  return others as ListParams
}

interface PostListParams {
  readonly search?: string | undefined
  readonly event?: number | undefined
  readonly has_events?: boolean | undefined
  readonly only_with_upcoming?: boolean | undefined
  readonly status?: readonly LegacyStatus[] | undefined
}

/** The part of the filter that GraphQL may reject: references to records, and statuses that need a permission. */
export const postReferences = ({ event, status }: PostListParams) => ({
  mustExist: true,
  ...(event !== undefined && { event }),
  status: status?.map(toRecordStatus),
})

/** Search does not cover the trash. */
const isSearchable = (status: LegacyStatus) => status !== 'trash'

export const postFilter = (params: PostListParams) => ({
  ...postReferences(params.search === undefined ? params : { ...params, status: params.status?.filter(isSearchable) }),
  ...legacySearch(params.search),
  ...(params.has_events !== undefined && { hasEvents: params.has_events }),
  // Without this filter a cached response does not depend on events, so false is left out.
  ...(params.only_with_upcoming && { onlyWithUpcoming: true }),
})

/** The query string of links to the list, in the order of contract c.13. */
export const postQuery = (params: PostListParams): Query => ({
  event: params.event,
  has_events: formatFlag(params.has_events),
  status: params.status?.join(','),
  search: params.search,
  only_with_upcoming: params.only_with_upcoming ? '1' : undefined,
})
