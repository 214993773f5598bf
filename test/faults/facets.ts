import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'A filter by the local end limits the months to choose from',
    file: 'src/calendar/event/facets/count.ts',
    find: "'endsAt', 'endsLocal', 'runningAt'",
    replace: "'endsAt', 'runningAt'",
    tests: ['test/content/event/facets.test.ts'],
  },
  {
    title: 'An event in two subcategories counts twice for their parent',
    file: 'src/calendar/event/facets/statement.ts',
    find: 'SELECT DISTINCT g.category_ids, g.events',
    replace: 'SELECT g.category_ids, g.events',
    tests: ['test/content/event/facets.test.ts'],
  },
  {
    title: 'A filter by the name of a place limits the cities to choose from',
    file: 'src/calendar/event/facets/count.ts',
    find: "['cities', 'placeName']",
    replace: "['cities']",
    tests: ['test/content/event/facets.test.ts'],
  },
  {
    title: 'The cities of locked venues are counted',
    file: 'src/calendar/event/facets/statement.ts',
    find: "WHERE v.open AND v.folded_city <> ''",
    replace: "WHERE v.folded_city <> ''",
    tests: ['test/content/event/facets.test.ts'],
  },
  {
    title: 'Facets leave out events that began long before the selected days',
    file: 'src/calendar/event/facets/count.ts',
    find: '[...(from ? [{ startsAt: { lt: from } }] : []), ...(until',
    replace: '[...(until',
    tests: ['test/content/event/facets.test.ts'],
  },
  {
    title: 'An event that ends at midnight is also on the next day of the calendar',
    file: 'src/calendar/event/calendar-statement.ts',
    find: "width_bucket(ending - interval '1 second', ",
    replace: 'width_bucket(ending, ',
    tests: ['test/filters/calendar-days.test.ts'],
  },
  {
    title: 'A free ticket makes an event count as paid',
    file: 'prisma/migrations/20261127100000_content/migration.sql',
    find: '(SELECT bool_or(price > 0) FROM content_ticket l WHERE l.content_id = c.id) AS paid_tickets',
    replace: '(SELECT bool_or(price >= 0) FROM content_ticket l WHERE l.content_id = c.id) AS paid_tickets',
    tests: ['test/content/event/facets.test.ts'],
  },
]
