import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'Commas and line breaks in HTML descriptions break the iCalendar feed',
    file: 'src/apis/feeds/icalendar/property.ts',
    find: 'ICAL.design.icalendar.value.text.toICAL(String(value))',
    replace: 'String(value)',
    tests: ['test/feeds/serialize.test.ts'],
  },
  {
    title: 'Calendar programs show the first of two repeated hours at the wrong time',
    file: 'src/apis/feeds/icalendar/event.ts',
    find: '    !isRepeated(local, timeZone) &&\n',
    replace: '',
    tests: ['test/feeds/serialize.test.ts'],
  },
  {
    title: 'An ampersand in the address of an image makes the RSS feed invalid',
    file: 'src/apis/feeds/rss.ts',
    find: 'escapeXml(url)}" type=',
    replace: 'url}" type=',
    tests: ['test/feeds/readers.test.ts'],
  },
  {
    title: 'The feed of a venue shows events of the venue in the query',
    file: 'src/apis/feeds/respond.ts',
    find: '{ ...own, ...subject.filter,',
    replace: '{ ...subject.filter, ...own,',
    tests: ['test/feeds/feeds.test.ts'],
  },
  {
    title: 'A feed that is limited by per_page has no link to the next events',
    file: 'src/apis/feeds/event-pages.ts',
    find: '(hasNextPage && endCursor)',
    replace: '(hasNext && endCursor)',
    tests: ['test/feeds/readers.test.ts'],
  },
]
