import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'A page leaves out records that have the same sort value as the last record of the page before',
    file: 'src/service/graphql/keyset.ts',
    find: '{ OR: [beyondKey, tie] }',
    replace: '{ OR: [beyondKey, { AND: [tie, beyondKey] }] }',
    tests: ['test/graphql/keyset.test.ts'],
  },
  {
    title: 'A page before an event without a price leaves out the events with a price',
    file: 'src/calendar/list/rows.ts',
    find: "raw(end.isAfter ? 'FALSE' : 'TRUE')\n  const operator",
    replace: "raw('FALSE')\n  const operator",
    tests: ['test/filters/orders-computed.test.ts'],
  },
  {
    title: 'The last page of a REST list has a link to a next page',
    file: 'src/apis/rest/json.ts',
    find: 'page < totalPages',
    replace: 'page <= totalPages',
    tests: ['test/contract/lists.test.ts'],
  },
  {
    title: 'The order INCLUDE accepts a cursor of another list of IDs',
    file: 'src/calendar/list/term-list.ts',
    find: "name: field === 'include' ? computedOrderName(field, included) : field,",
    replace: 'name: field,',
    tests: ['test/filters/cursors.test.ts'],
  },
  {
    title: 'Two connections of a venue with different filters have the same events',
    file: 'src/calendar/list/field-loader.ts',
    find: '${info.fieldNodes.map(objectNumber).join()}',
    replace: '${info.fieldName}',
    tests: ['test/content/event/list.test.ts'],
  },
  {
    title: 'A feed of more than 100 events repeats the first ones',
    file: 'src/apis/feeds/event-pages.ts',
    find: '      after = endCursor\n',
    replace: '',
    tests: ['test/feeds/streamed.test.ts'],
  },
]
