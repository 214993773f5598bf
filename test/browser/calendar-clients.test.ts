// Programs of others read the feeds: icalendar for Python, and the CalDAV client vdirsyncer.
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Reply } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { openRealApp, type SampleApp } from '../helpers/sample.ts'
import { write } from '../helpers/write.ts'

let app: SampleApp
let address: string
let folder: string

const zones = ['Europe/Dublin', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kolkata']

beforeAll(async () => {
  app = await openRealApp()
  address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  folder = mkdtempSync(join(tmpdir(), 'feeds-'))
  for (const [index, timeZone] of [...zones, 'UTC+5:30', 'UTC'].entries()) {
    await makeEvent(app.db, `Zone ${index}; "quoted", and 漢字`, { timeZone, start: '2027-07-01T20:00:00' })
  }
  await makeEvent(app.db, 'Camp', { allDay: true, start: '2027-07-01T00:00:00', end: '2027-07-03T23:59:59' })
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await app?.close()
})

const feed = '/events.ics?start_date=1900-01-01'

interface ApiEvent {
  readonly uid: string
  readonly title: string
  readonly startsAt: string
  readonly startsLocal: string
  readonly allDay: boolean
}

async function apiEvents(): Promise<ApiEvent[]> {
  const query = `query ($after: String) { events(first: 100, after: $after) {
    nodes { uid title startsAt startsLocal allDay } pageInfo { hasNextPage endCursor } } }`
  const all: ApiEvent[] = []
  for (let after: string | undefined, hasNext = true; hasNext; ) {
    const { body }: Reply = await app.graphql(query, { after })
    all.push(...body.data.events.nodes)
    after = body.data.events.pageInfo.endCursor
    hasNext = body.data.events.pageInfo.hasNextPage
  }
  return all
}

/** Prints the events of standard input as JSON. */
const script = `
import json, sys
from datetime import datetime, timezone
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
events = []
for event in calendar.walk('VEVENT'):
    start = event['DTSTART'].dt
    if isinstance(start, datetime):
        start = start.astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')
    events.append([str(event['UID']), str(event['SUMMARY']), str(start), len(event.errors)])
print(json.dumps(events))
`

test('icalendar for Python reads every event with its title and start', async () => {
  const { body } = await app.get(feed)
  const printed = execFileSync('/usr/bin/python3', ['-c', script], {
    input: body,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const expected = (await apiEvents()).map(({ uid, title, startsAt, startsLocal, allDay }) => {
    return [uid, title, allDay ? startsLocal.slice(0, 10) : startsAt, 0]
  })
  const byUid = (a: readonly unknown[], b: readonly unknown[]) => String(a[0]).localeCompare(String(b[0]))
  expect(expected.length).toBeGreaterThan(400)
  expect(JSON.parse(printed).toSorted(byUid)).toEqual(expected.toSorted(byUid))
})

test('vdirsyncer copies the events of a subscription, and only the changed ones again', async () => {
  const copy = join(folder, 'copy')
  mkdirSync(copy)
  const config = join(folder, 'config')
  writeFileSync(
    config,
    `[general]
status_path = "${join(folder, 'status')}"
[pair calendar]
a = "feed"
b = "copy"
collections = null
conflict_resolution = "a wins"
[storage feed]
type = "http"
url = "${address}${feed}"
[storage copy]
type = "filesystem"
path = "${copy}"
fileext = ".ics"
`,
  )
  const sync = async () => {
    const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8' }
    // The service of this process has to answer meanwhile.
    for (const command of ['discover', 'sync'])
      await promisify(execFile)('vdirsyncer', ['-c', config, command], { env })
  }
  const copied = () => new Map(readdirSync(copy).map((name) => [name, readFileSync(join(copy, name), 'utf8')]))
  await sync()
  const before = copied()
  const api = await apiEvents()
  expect(before.size).toBe(api.length)
  const [first] = api
  await write(app.administrator, 'update', 'event', { id: Number.parseInt(first?.uid ?? '', 10), title: 'Renamed' })
  await sync()
  const changed = [...copied()].filter(([name, text]) => before.get(name) !== text)
  expect(changed).toHaveLength(1)
  expect(changed[0]?.[1]).toMatch(/SEQUENCE:1\r?\n[\s\S]*SUMMARY;LANGUAGE=en:Renamed/)
})
