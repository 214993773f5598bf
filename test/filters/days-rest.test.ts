// `between` finds the events that REST finds with start_date and end_date.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'

let app: TestApp
const sites: TestApp[] = []

const zones = ['America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati']
/** Days around the current time, and around the changes of the clocks. */
const days = [
  '2026-03-07',
  '2026-03-08',
  '2026-03-29',
  '2026-10-25',
  '2026-11-01',
  '2026-11-20',
  '2026-11-21',
  '2026-11-22',
]
const relative = ['today', 'tomorrow', 'yesterday', '+1 week', '-1 week', 'monday next week', 'last day of next month']
const instants = ['2026-11-21T22:00:00-05:00', '1795305600', 'tomorrow 23:00 Asia/Tokyo', 'now', '+13 hours', 'noon']

beforeAll(async () => {
  app = await openTestApp()
  const settings: readonly Readonly<Record<string, string>>[] = [
    { SITE_TIMEZONE: 'UTC' },
    { SITE_TIMEZONE: 'America/New_York' },
    { SITE_TIMEZONE: 'Asia/Kolkata' },
    { SITE_TIMEZONE: 'Asia/Kolkata', SHOW_IN_SITE_TIMEZONE: 'true' },
    { SITE_TIMEZONE: 'America/New_York', END_OF_DAY_CUTOFF: '06:00' },
  ]
  for (const env of settings) sites.push(await serve(app, env))
  for (const [index, day] of days.entries()) {
    for (const timeZone of zones) {
      const at = (time: string, end = day) => ({ end: `${end}T${time}`, timeZone })
      const name = `${timeZone} ${day}`
      await makeEvent(app.db, `${name} early`, { start: `${day}T00:00:00`, ...at('02:30:00') })
      await makeEvent(app.db, `${name} late`, { start: `${day}T22:30:00`, ...at('23:59:59') })
      await makeEvent(app.db, `${name} whole`, { start: `${day}T00:00:00`, ...at('23:59:59'), allDay: true })
      const later = days[index + 1]
      if (later) await makeEvent(app.db, `${name} long`, { start: `${day}T12:00:00`, ...at('05:59:59', later) })
    }
  }
})
afterAll(async () => {
  for (const site of sites) await site.app.close()
  await app.close()
})

const ids = (records: readonly { id?: number; databaseId?: number }[]) =>
  records.map(({ id, databaseId }) => id ?? databaseId).toSorted()

async function ofRest(site: TestApp, from: string, to: string) {
  const found = []
  for (let page = 1; ; page++) {
    const query = new URLSearchParams({ start_date: from, end_date: to, per_page: '50', page: String(page) })
    const { status, body } = await site.get(`/cal/events/v1/events?${query}`)
    expect(status).toBe(200)
    found.push(...body.events)
    if (page >= body.total_pages) return ids(found)
  }
}

async function ofGraphql(site: TestApp, from: string, to: string) {
  const query = `query ($page: Int!, $from: DayExpression, $to: DayExpression) {
    eventsPage(page: $page, perPage: 50, filter: { between: { from: $from, to: $to } }) { totalPages items { databaseId } }
  }`
  const found = []
  for (let page = 1; ; page++) {
    const { body } = await site.graphql(query, { page, from, to })
    expect(body.errors).toBeUndefined()
    found.push(...body.data.eventsPage.items)
    if (page >= body.data.eventsPage.totalPages) return ids(found)
  }
}

const day = fc.oneof(
  fc.constantFrom(...days),
  fc.constantFrom(...days, ...relative),
  fc.constantFrom(...instants),
  fc.tuple(fc.constantFrom(...days), fc.constantFrom('00:00', '05:59:59', '23:59')).map((parts) => parts.join(' ')),
)
const time = fc.constantFrom(
  '2026-11-21T12:00:00Z',
  '2026-11-21T00:30:00Z',
  '2026-11-20T23:30:00Z',
  '2026-11-01T05:30:00Z',
)

test('the range of REST and that of GraphQL contain the same events', async () => {
  let nonEmpty = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(4), day, day, time, async (index, from, to, now) => {
      const site = sites[index] ?? app
      site.clock.now = new Date(now)
      const expected = await ofRest(site, from, to)
      if (expected.length > 0) nonEmpty++
      expect(await ofGraphql(site, from, to)).toEqual(expected)
    }),
    { numRuns: runs(150) },
  )
  expect(nonEmpty).toBeGreaterThan(3)
})

test('the last second of a day with a cutoff, as links of REST contain it, is the end of that day', async () => {
  const site = sites[4] ?? app
  site.clock.now = new Date('2026-11-21T12:00:00Z')
  const [from, to] = ['2026-11-21', '2026-11-22 05:59:59']
  const expected = await ofRest(site, from, to)
  expect(expected).toEqual(await ofRest(site, from, '2026-11-21'))
  expect(await ofGraphql(site, from, to)).toEqual(expected)
})
