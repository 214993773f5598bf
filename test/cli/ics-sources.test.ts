// Where import-ics reads calendars from, and the command as a process.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSettings } from '../../src/basics/env.ts'
import { initializeSite } from '../../src/calendar/site/site.ts'
import { readCalendarFile } from '../../src/tools/icalendar/read-bytes.ts'
import { withNewDatabase } from '../../src/tools/session.ts'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { calendarOf, eventOf } from '../helpers/ics.ts'
import { runCommands } from '../helpers/process.ts'
import { makeUser } from '../helpers/users.ts'

const calendar = calendarOf(eventOf('fair', 'SUMMARY:Fair', 'DTSTART:20261204T190000'), 'BEGIN:VTODO', 'END:VTODO')
const zeros = gzipSync(Buffer.alloc(51 * 1024 ** 2))

let folder: string
let server: Server
let otherServer: Server
let root: string
let otherRoot: string

const routes: Readonly<Record<string, RequestListener>> = {
  '/plain': (_, response) => response.end(calendar),
  '/gzip': (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(calendar)),
  '/file.gz': (_, response) => response.end(gzipSync(calendar)),
  '/moved': (_, response) => response.writeHead(301, { location: '/plain' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/private': (_, response) => response.writeHead(302, { location: 'http://localhost:1/' }).end(),
  '/ftp': (_, response) => response.writeHead(302, { location: 'ftp://example.org/' }).end(),
  '/secret': (request, response) => {
    const isSignedIn = request.headers.authorization === `Basic ${btoa('ada:pass word')}`
    response.writeHead(isSignedIn ? 200 : 401).end(isSignedIn ? calendar : '')
  },
  '/bomb': (_, response) => response.setHeader('content-encoding', 'gzip').end(zeros),
  '/bomb.gz': (_, response) => response.end(zeros),
  '/damaged.gz': (_, response) => response.end(gzipSync(calendar).subarray(0, 40)),
  '/zip': (_, response) => response.end('PK\u0003\u0004'),
  '/to-other-port': (_, response) => response.writeHead(302, { location: `${otherRoot}/secret` }).end(),
  '/silent': () => {},
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-ics-'))
  server = createServer((request, response) => {
    const respond = routes[request.url ?? ''] ?? (() => response.writeHead(404).end())
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  otherServer = createServer((request, response) => response.end(request.headers.authorization ?? 'no credentials'))
  await new Promise<void>((resolve) => otherServer.listen(0, '127.0.0.1', resolve))
  otherRoot = `http://127.0.0.1:${(otherServer.address() as AddressInfo).port}`
})
afterAll(() => {
  server?.closeAllConnections()
  server?.close()
  otherServer?.close()
  rmSync(folder, { recursive: true })
})

test.each(['/plain', '/gzip', '/file.gz', '/moved'])('a calendar is read from %s', async (path) => {
  expect((await readCalendarFile(`${root}${path}`)).toString()).toBe(calendar)
})

test('the user name and password of a URL are sent', async () => {
  const url = `${root.replace('//', '//ada:pass%20word@')}/secret`
  expect((await readCalendarFile(url)).toString()).toBe(calendar)
})

test('the user name and password of a URL are not sent to another server', async () => {
  const url = `${root.replace('//', '//ada:100%@')}/to-other-port`
  expect((await readCalendarFile(url)).toString()).toBe('no credentials')
})

test('the error for an invalid URL does not contain its password', async () => {
  const reading = readCalendarFile('https://ada:secret@example.org:99999/').catch((error: Error) => error.message)
  expect(await reading).toBe('The address of the calendar is not a valid URL. Check its host and port.')
})

test.each([
  ['/missing', /cannot be read: the server responded with status 404\.$/],
  ['/loop', /redirects more than 5 times\.$/],
  ['/private', /redirects to localhost:1, which is not a server with a public address\.$/],
  ['/ftp', /redirects to an address that is not http or https\.$/],
  ['/bomb', /is larger than 52428800 bytes\. Split it into smaller files\.$/],
  ['/bomb.gz', /is larger than 52428800 bytes\. Split it into smaller files\.$/],
  ['/damaged.gz', /is a damaged gzip file\.$/],
  ['/zip', /is a ZIP archive\. Unpack it, and import each \.ics file in it\.$/],
])('%s fails with the reason, without the path of the URL', async (path, message) => {
  const error = await readCalendarFile(`${root}${path}`).catch((reason: Error) => reason.message)
  expect(error).toMatch(message)
  expect(error).not.toContain(path)
})

test('a server that does not respond is given up', async () => {
  await expect(readCalendarFile(`${root}/silent`, 200)).rejects.toThrow('was not received within 0.2 seconds.')
})

test('a file that does not exist is an error, and so is a folder', async () => {
  await expect(readCalendarFile(join(folder, 'none.ics'))).rejects.toThrow('none.ics does not exist.')
  await expect(readCalendarFile(folder)).rejects.toThrow('is a folder. Give an .ics file.')
})

test('the command imports a file and stdin, and prints a report', async () => {
  const { url, drop } = await migratedDatabaseUrl(join(folder, 'database'))
  const env = { DATABASE_URL: url, IMAGES_DIR: join(folder, 'images'), SEED: 'off' }
  await withNewDatabase(readSettings(env), async ({ db, settings }) => {
    await initializeSite(db, settings)
    await makeUser(db, 'administrator')
  })
  const [file, hostileFile] = [join(folder, 'calendar.ics'), join(folder, 'hostile.ics')]
  writeFileSync(file, calendar)
  const hostile = eventOf('\u001B]0;title\u0007\u009B2J\u202E\\n1 created', 'SUMMARY:Without a date')
  writeFileSync(hostileFile, calendarOf(hostile))
  const [first, again, escaped, wrong] = await runCommands(
    env,
    [
      ['import-ics', '-', '--json', '--status', 'draft'],
      ['import-ics', file],
      ['import-ics', hostileFile],
      ['import-ics', file, '--language', 'xx', '--json'],
    ],
    calendar,
  )
  expect([first?.code, first?.err]).toEqual([0, ''])
  expect(JSON.parse(first?.out ?? '')).toMatchObject({
    ...{ dryRun: false, created: 1, updated: 0, unchanged: 0, trashed: 0, notes: [], unreadProperties: {} },
    skipped: [{ uid: null, reason: 'VTODO is not an event. Only VEVENT is imported.' }],
  })
  expect(again).toEqual({
    code: 0,
    out: 'Skipped a component at line 10: VTODO is not an event. Only VEVENT is imported.\n0 created, 0 updated, 1 unchanged, 0 trashed, 1 skipped\n',
    err: '',
  })
  expect([escaped?.code, escaped?.err, escaped?.out.split('\n').length]).toEqual([0, '', 3])
  expect(escaped?.out).not.toMatch(/(?!\n)\p{Cc}|\u202E/u)
  expect(wrong).toEqual({ code: 1, out: '', err: expect.stringContaining('Use one of the languages en, fr, es') })
  await drop()
})
