import { addEventsConnection } from '../event/events-connection.ts'
import { addRecordConnection } from '../list/record-connection.ts'
import { categoryList } from './queries.ts'

addEventsConnection('category', {
  description: 'Events in this category, without those in its descendants',
  ofParent: (id) => ({ categories: { some: { categoryId: id } } }),
})

addRecordConnection('category', 'children', {
  kind: 'category',
  list: categoryList,
  description: 'Direct child categories, by default ordered by name.',
  ofParent: (id) => ({ parentId: id }),
})
