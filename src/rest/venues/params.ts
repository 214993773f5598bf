import { notYet, pageParams, recordPassword, visitorStatus } from '../params.ts'

export const venuesParams = {
  ...pageParams,
  status: visitorStatus.optional().describe('Status of the venues.'),
  password: recordPassword,
  search: notYet,
  event: notYet,
  has_events: notYet,
  only_with_upcoming: notYet,
}
