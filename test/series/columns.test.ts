// A new column of events is either one that all dates of a series have in common, or one of each date.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commonColumns } from '../../src/calendar/series/dates.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'

const ownColumns = [
  ...['id', 'content_id', 'series_id', 'former_series_id', 'original_starts_local', 'day_number', 'is_extra'],
  ...['starts_at', 'ends_at', 'starts_local', 'ends_local', 'time_zone', 'all_day', 'previous_starts_at'],
  ...['event_status', 'attendance_mode', 'online_url', 'hide_from_listings', 'changed_fields', 'date_texts'],
  ...['uid', 'sequence'],
]

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

test('each column of events is in one of both lists', async () => {
  const columns = await app.db.$queryRaw<{ name: string }[]>`
    SELECT column_name::text AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'event' AND is_generated = 'NEVER'`
  expect(columns.map(({ name }) => name).sort()).toEqual([...commonColumns, ...ownColumns].sort())
})
