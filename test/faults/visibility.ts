import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'Lists show events that are hidden from listings',
    file: 'src/calendar/rules/visibility.ts',
    find: 'untrashedInListsFilter(context), { hideFromListings: false }]',
    replace: 'untrashedInListsFilter(context)]',
    tests: ['test/visibility.test.ts'],
  },
]
