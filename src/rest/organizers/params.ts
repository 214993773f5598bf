import { notYet, pageParams, recordPassword, statusList } from '../params.ts'

export const organizersParams = {
  ...pageParams,
  status: statusList.optional().describe('Status of the organizers.'),
  password: recordPassword,
  search: notYet,
  event: notYet,
  has_events: notYet,
  only_with_upcoming: notYet,
}
