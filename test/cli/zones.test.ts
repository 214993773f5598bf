// Instants that were computed with outdated time zone rules.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recomputeEventInstants } from '../../src/calendar/event/recompute-zones.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const recompute = (dryRun: boolean) => recomputeEventInstants({ ...app, now: () => now }, { dryRun })

/** Stores instants as outdated rules would have computed them. */
const store = (id: number, startsAt: string, endsAt: string) =>
  app.db.event.update({ where: { id }, data: { startsAt: new Date(startsAt), endsAt: new Date(endsAt) } })

const select = { startsAt: true, endsAt: true, modifiedAt: true, sequence: true } as const
const read = (id: number) => app.db.event.findUniqueOrThrow({ where: { id }, select })

test('recomputes the instants of events and reports each change', async () => {
  const paris = { start: '2027-07-01T20:00:00', end: '2027-07-01T22:00:00', timeZone: 'Europe/Paris' }
  const unchanged = await makeEvent(app.db, 'Unchanged', paris)
  const moved = await makeEvent(app.db, 'Moved', paris)
  const before = await read(unchanged)
  await store(moved, '2027-07-01T19:00:00Z', '2027-07-01T21:00:00Z')
  const stale = await read(moved)
  // Clocks skip the first hour, and show the second one twice: both instants are valid.
  const skipped = await makeEvent(app.db, 'Skipped', {
    ...{ start: '2027-03-28T02:30:00', end: '2027-03-28T02:45:00', timeZone: 'Europe/Paris' },
  })
  const second = await makeEvent(app.db, 'Second', {
    ...{ start: '2027-10-31T02:30:00', end: '2027-10-31T02:45:00', timeZone: 'Europe/Paris' },
  })
  await store(second, '2027-10-31T01:30:00Z', '2027-10-31T01:45:00Z')
  const others = [await read(unchanged), await read(skipped), await read(second)]

  const report = {
    events: 4,
    unknownZones: [],
    moved: [
      {
        ...{ id: moved, title: 'Moved', timeZone: 'Europe/Paris' },
        ...{ startsLocal: '2027-07-01T20:00:00', endsLocal: '2027-07-01T22:00:00' },
        startsAt: { before: new Date('2027-07-01T19:00:00Z'), after: new Date('2027-07-01T18:00:00Z') },
        endsAt: { before: new Date('2027-07-01T21:00:00Z'), after: new Date('2027-07-01T20:00:00Z') },
      },
    ],
  }
  expect(await recompute(true)).toEqual({ dryRun: true, ...report })
  expect(await read(moved)).toEqual(stale)

  expect(await recompute(false)).toEqual({ dryRun: false, ...report })
  const after = await read(moved)
  expect([after.startsAt, after.endsAt]).toEqual([before.startsAt, before.endsAt])
  expect(after.modifiedAt.getTime()).toBeGreaterThan(stale.modifiedAt.getTime())
  // Subscribers of iCalendar feeds take the new times only for a newer version.
  expect(after.sequence).toBe(stale.sequence + 1)
  expect([await read(unchanged), await read(skipped), await read(second)]).toEqual(others)
  const { body } = await app.get(`/cal/events/v1/events/${moved}`)
  expect([body.start_date, body.utc_start_date]).toEqual(['2027-07-01 20:00:00', '2027-07-01 18:00:00'])
  const { data } = (await app.graphql(`{ event(id: ${moved}) { startsAt startsLocal } }`)).body
  expect(data.event).toEqual({ startsAt: '2027-07-01T18:00:00.000Z', startsLocal: '2027-07-01T20:00:00' })

  expect((await recompute(false)).moved).toEqual([])
})

test('events with an unknown time zone do not change', async () => {
  const unknown = await makeEvent(app.db, 'Unknown')
  await app.db.event.update({ where: { id: unknown }, data: { timeZone: 'Mars/Olympus' } })
  const before = await read(unknown)
  const report = await recompute(false)
  expect(report.unknownZones).toEqual([{ id: unknown, timeZone: 'Mars/Olympus' }])
  expect(await read(unknown)).toEqual(before)
  await app.db.event.delete({ where: { id: unknown } })
})

test('processes more events than one batch has', async () => {
  const id = await makeEvent(app.db, 'Many', { timeZone: 'UTC+2' })
  const count = await app.db.event.count()
  await app.db.$executeRaw`
    INSERT INTO event (status, published_at, modified_at, original_language, starts_at, ends_at, starts_local, ends_local, time_zone)
    SELECT status, published_at, modified_at, original_language, starts_at + interval '1 hour', ends_at + interval '1 hour',
      starts_local, ends_local, time_zone FROM event, generate_series(1, 1200) WHERE id = ${id}`
  const report = await recompute(true)
  expect([report.events, report.moved.length]).toEqual([count + 1200, 1200])
  await app.db.event.deleteMany({ where: { timeZone: 'UTC+2' } })
})
