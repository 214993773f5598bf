import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'A search for a backslash finds other texts',
    file: 'src/engine/postgres/query.ts',
    find: 'text.replace(/[\\\\%_]/g',
    replace: 'text.replace(/[%_]/g',
    tests: ['test/filters/search.test.ts'],
  },
  {
    title: 'A search that excludes a word tells whether the description of a locked event has it',
    file: 'src/calendar/search/matches.ts',
    find: 'words.absent.length === 0 ? byText.in : undefined',
    replace: 'byText.in',
    tests: ['test/filters/search-locked.test.ts'],
  },
  {
    title: 'A search that excludes a word finds events with its plural',
    file: 'src/calendar/search/matches.ts',
    find: 'findWordForms([...words.present, ...words.absent], mode',
    replace: 'findWordForms(words.present, mode',
    tests: ['test/filters/search-words.test.ts'],
  },
  {
    title: 'Suggestions name an organizer that is not published',
    file: 'src/calendar/site/find-suggestions.ts',
    find: 'context.reads.organizer.matchingRowsSql({ AND: [listedPostsFilter(context), inLanguageFilter(context)] })',
    replace: 'context.reads.organizer.matchingRowsSql(inLanguageFilter(context))',
    tests: ['test/filters/search-suggestions.test.ts'],
  },
  {
    title: 'The address of a suggested category has its ancestors in the wrong order',
    file: 'src/calendar/site/find-suggestions.ts',
    find: 'ORDER BY p.depth DESC)',
    replace: 'ORDER BY p.depth)',
    tests: ['test/filters/search-suggestions.test.ts'],
  },
  {
    title: 'The order by relevance of many events is the one of yesterday',
    file: 'src/calendar/list/relevance.ts',
    find: '  reads.expiresAt(today.getTime() + dayMs)\n',
    replace: '',
    tests: ['test/cache/expiry.test.ts'],
  },
]
