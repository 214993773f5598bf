import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'

/** The rooms of `src`, a folder or a file each. Each imports only from those above it. */
const rooms = [
  'kinds.ts',
  'basics',
  'engine/postgres',
  'engine/reads',
  'engine/execution',
  'engine/cache',
  'engine/processes',
  'service/mail.ts',
  'service/auth',
  'service/context.ts',
  'service/http',
  'service/graphql',
  'calendar',
  'schema.ts',
  'apis',
  'tools',
  'app.ts',
  'start',
  'server.ts',
]

/** The rooms of `src/apis`, in the same way. */
const apiRooms = ['rest', 'pages', 'feeds', 'embed']

/** The rooms of `src/calendar`, in the same way. */
const calendarRooms = [
  'text',
  'rules',
  'search',
  'list',
  'image/storage',
  'lifecycle',
  'credential',
  'user',
  'image',
  'fields',
  'venue',
  'organizer',
  'category',
  'tag',
  'event',
  'series',
  'changes',
  'webhook',
  'audit',
  'site',
  'translation',
  'duplicates',
  'presence',
  'review',
  'proposal',
]

/** What a room does not import although it stands above it. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  apis: ['calendar', 'schema.ts', 'engine/postgres', 'engine/reads', 'engine/execution', 'service/auth'],
  tools: ['calendar', 'schema.ts', 'engine/reads', 'engine/execution'],
}

/** What a part of a room imports all the same. */
const exceptions: readonly (readonly [from: string, to: readonly string[]])[] = [
  // Functions of texts alone, by which imports compare what they read with what is stored.
  ['tools', ['calendar/text', 'calendar/event/cost.ts', 'calendar/event/schedule.ts']],
  // One statement finds the events of many UIDs, also in the trash and hidden from lists.
  ['tools/icalendar/stored-events.ts', ['calendar/event/uid.ts', 'calendar/rules/identify.ts']],
  // Schedules of files are parsed, split and expanded as those of series, and an import adds all their dates at once.
  ['tools/icalendar', ['calendar/series']],
  ['tools/import-site/write-series.ts', ['calendar/series/stored-schedule.ts']],
  // Commands start what the service starts: migrations, the site, its client, and the schema for their operations.
  ['tools/session.ts', ['calendar/site', 'engine/reads/client.ts']],
  ['tools/operations.ts', ['schema.ts']],
  ['tools/import-site/import-site.ts', ['calendar/site']],
  // Downloads have the limits of those of mutations.
  ['tools/fetch-url.ts', ['calendar/image/storage']],
  ['tools/import-site/record-images.ts', ['calendar/image/storage']],
  // An export has the rows of all tables and the files of all images, whatever the records mean.
  ['tools/transfer', ['calendar/image/storage', 'calendar/site']],
  // A new database gets the sample in the transaction that creates its site.
  ['tools/sample', ['calendar/image/storage', 'calendar/category/tree.ts']],
  // Jobs over all events, or all files, in a process of their own.
  ['tools/maintenance-commands.ts', ['calendar/event/recompute-zones.ts', 'calendar/image/storage']],
]

/** Packages that one folder wraps for all others. */
const wrapped: Readonly<Record<string, string>> = {
  pg: 'engine/postgres',
  '@electric-sql/pglite': 'engine/postgres',
  'moment-timezone': 'basics',
  sharp: 'calendar/image',
  jose: 'service/auth',
  'openid-client': 'service/auth',
  '@simplewebauthn/server': 'service/http',
  nodemailer: 'service/mail.ts',
  'altcha-lib': 'calendar/proposal',
}

const imports = globSync('src/**/*.{ts,js}', { exclude: (path) => path.includes('generated') }).flatMap((path) => {
  const file = posix.relative('src', path)
  const targets = readFileSync(path, 'utf8').matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)
  return [...targets].map(([, target = '']) => ({ file, target }))
})
const internal = imports
  .filter(({ target }) => target.startsWith('.') && !target.includes('/generated/'))
  .map(({ file, target }) => ({ file, target: posix.join(posix.dirname(file), target) }))

const isIn = (file: string, room: string) => file === room || file.startsWith(`${room}/`)

/** Imports of a room from a room below it. A file that no room contains is an error, too. */
function upward(order: readonly string[], within = ''): string[] {
  const indexOf = (file: string) => order.findIndex((room) => isIn(file, posix.join(within, room)))
  return internal
    .filter(({ file, target }) => isIn(file, within || file) && isIn(target, within || target))
    .filter(({ file, target }) => indexOf(file) < indexOf(target) || indexOf(file) < 0 || indexOf(target) < 0)
    .map(({ file, target }) => `${file} imports ${target}`)
}

test('imports between the rooms of src go one way', () => {
  expect(internal.length).toBeGreaterThan(1000)
  expect(upward(rooms)).toEqual([])
})

test('imports inside src/calendar go one way', () => {
  expect(upward(calendarRooms, 'calendar')).toEqual([])
})

test('imports inside src/apis go one way', () => {
  expect(upward(apiRooms, 'apis')).toEqual([])
})

test.each(Object.entries(forbidden))('%s speaks GraphQL only', (room, others) => {
  const allowed = ({ file, target }: (typeof internal)[number]) =>
    exceptions.some(([from, to]) => isIn(file, from) && to.some((other) => isIn(target, other)))
  const found = internal
    .filter(({ file, target }) => isIn(file, room) && others.some((other) => isIn(target, other)))
    .filter((each) => !allowed(each))
  expect(found).toEqual([])
})

test.each(Object.entries(wrapped))('%s is imported in one folder', (name, folder) => {
  const users = imports.filter(({ target }) => target === name || target.startsWith(`${name}/`))
  expect(users).not.toEqual([])
  expect(users.filter(({ file }) => !isIn(file, folder))).toEqual([])
})
