import { flag, notYet, pageParams } from '../params.ts'

export const tagsParams = {
  ...pageParams,
  hide_empty: flag.default(true).describe('Leave out tags that no published event has.'),
  search: notYet,
  include: notYet,
  exclude: notYet,
  order: notYet,
  orderby: notYet,
  post: notYet,
  event: notYet,
  slug: notYet,
}
