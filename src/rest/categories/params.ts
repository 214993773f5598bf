import { flag, notYet, pageParams } from '../params.ts'

export const categoriesParams = {
  ...pageParams,
  hide_empty: flag.default(true).describe('Leave out categories that no published event has.'),
  search: notYet,
  include: notYet,
  exclude: notYet,
  order: notYet,
  orderby: notYet,
  parent: notYet,
  post: notYet,
  event: notYet,
  slug: notYet,
}
