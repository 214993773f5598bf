// The lists of venues and organizers (contract c.14).
import { toRecordStatus } from '../../basics/record-status.ts'
import {
  legacySearchFilter,
  lenientFlagParam,
  nonEmptyTextParam,
  type Params,
  paginationParams,
  positiveIntegerParam,
  recordPasswordParam,
  statusListParam,
} from './params.ts'
import { formatFlagParam } from './urls.ts'

const postListParams = (plural: string) => ({
  ...paginationParams,
  search: nonEmptyTextParam.optional().describe(`Only ${plural} with all these words in one field.`),
  event: positiveIntegerParam.optional().describe(`Only ${plural} of this event.`),
  has_events: lenientFlagParam
    .optional()
    .describe(`True: only ${plural} with events. False: only ${plural} without events.`),
  only_with_upcoming: lenientFlagParam.default(false).describe(`Only ${plural} of an event that starts now or later.`),
  status: statusListParam.optional().describe(`Status of the ${plural}.`),
  password: recordPasswordParam,
})

type PostListParams = Partial<Params<ReturnType<typeof postListParams>>>

const references = ({ event, status }: PostListParams) => ({
  mustExist: true,
  ...(event !== undefined && { event }),
  status: status?.map(toRecordStatus),
})

function filterOf({ search, status, has_events: hasEvents, only_with_upcoming, event }: PostListParams) {
  // Search does not cover the trash.
  const searched = search === undefined ? status : status?.filter((each) => each !== 'trash')
  return {
    ...references({ event, status: searched }),
    ...legacySearchFilter(search),
    ...(hasEvents !== undefined && { hasEvents }),
    // Without this filter a cached response does not depend on events, so false is left out.
    ...(only_with_upcoming && { onlyWithUpcoming: true }),
  }
}

export const createPostListDefinition = (plural: string) => ({
  order: 'newest first',
  params: postListParams(plural),
  references,
  variables: (params: PostListParams) => ({
    variables: { filter: filterOf(params) },
    query: {
      event: params.event,
      has_events: formatFlagParam(params.has_events),
      status: params.status?.join(','),
      search: params.search,
      only_with_upcoming: params.only_with_upcoming ? '1' : undefined,
    },
  }),
})
