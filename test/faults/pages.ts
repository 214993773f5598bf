import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'HTML in a custom field becomes part of the page of an event',
    file: 'src/apis/pages/event.ts',
    find: 'escapeHtml(asText(value))',
    replace: 'asText(value)',
    tests: ['test/pages/records.test.ts'],
  },
  {
    title: 'The month view shows no time for an event that starts exactly when the day begins',
    file: 'src/apis/pages/month.ts',
    find: 'local.slice(11, 16) < endOfDayCutoff',
    replace: 'local.slice(11, 16) <= endOfDayCutoff',
    tests: ['test/pages/calendar.test.ts'],
  },
  {
    title: 'A CDN sends the landing page in the language of another visitor',
    file: 'src/apis/pages/page-response.ts',
    find: "isHome ? 'Accept-Language, Authorization' : 'Authorization'",
    replace: "'Authorization'",
    tests: ['test/pages/landing.test.ts'],
  },
  {
    title: 'The sitemap names events with a password',
    file: 'src/calendar/site/sitemap.ts',
    find: '{ ...publishedFilter(now), passwordKey: null }',
    replace: 'publishedFilter(now)',
    tests: ['test/discovery/sitemap.test.ts'],
  },
  {
    title: 'The page of a cancelled event offers to add it to a calendar',
    file: 'src/apis/pages/calendar-links.ts',
    find: "event.endsAt < context.now || event.eventStatus === 'CANCELLED'",
    replace: 'event.endsAt < context.now',
    tests: ['test/pages/calendar-links.test.ts'],
  },
]
