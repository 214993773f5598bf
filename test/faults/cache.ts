import type { Fault } from './fault.ts'

export const faults: readonly Fault[] = [
  {
    title: 'The total of a list is the one of another language',
    file: 'src/calendar/list/cached-count.ts',
    find: '[counted, language, filter ?? {}]',
    replace: '[counted, filter ?? language]',
    tests: ['test/cache/counts.test.ts'],
  },
  {
    title: 'The days of a calendar have the counts of another time zone',
    file: 'src/calendar/event/calendar.ts',
    find: "[...range.days, range.zone ?? 'local times', withIds",
    replace: '[...range.days, withIds',
    tests: ['test/cache/counts.test.ts'],
  },
  {
    title: 'A list of upcoming events does not show a scheduled event when its date comes',
    file: 'src/engine/cache/expiry.ts',
    find: 'Math.min(until, publication, comparesTimes',
    replace: 'Math.min(until, comparesTimes',
    tests: ['test/cache/expiry.test.ts'],
  },
  {
    title: 'Counts of facets that were cached for another operation stay after midnight',
    file: 'src/engine/reads/read-record.ts',
    find: '      recorder.expiresAt(other.until)\n',
    replace: '',
    tests: ['test/cache/counts.test.ts'],
  },
  {
    title: 'The response about a record stays after so many changes that only their kind is known',
    file: 'src/engine/cache/changes.ts',
    find: '    changes.lastOfAll = version\n',
    replace: '',
    tests: ['test/cache/response-cache.test.ts'],
  },
  {
    title: 'An event does not show its organizer when the organizer is published',
    file: 'prisma/migrations/20261126170000_initial/migration.sql',
    find: "CREATE TRIGGER notify_shown AFTER UPDATE ON organizer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_shown('organizer');\n",
    replace: '',
    tests: ['test/cache/invalidation.test.ts', 'test/cache/response-cache.test.ts'],
  },
  {
    title: 'A request after a write gets the response to a slow request from before it',
    file: 'src/engine/cache/response-cache.ts',
    find: 'running?.version === changes.version && isConnected()',
    replace: 'running && isConnected()',
    tests: ['test/cache/response-cache.test.ts'],
  },
  {
    title: 'A GraphQL response has the media type that another client asked for',
    file: 'src/service/graphql/plugin.ts',
    find: "return ['GET', fullUrl(request), type].join",
    replace: "return ['GET', fullUrl(request)].join",
    tests: ['test/cache/response-cache.test.ts'],
  },
]
