// With 100,000 events, no list scans a whole growing table.
import { expect, test } from 'vitest'
import { findSampleRecords } from '../../bench/sample-records.ts'
import { now, serve } from '../helpers/app.ts'
import { openLarge } from '../helpers/large.ts'
import { astray, unexplained } from '../helpers/large-exceptions.ts'
import { recorderOf } from '../helpers/large-plans.ts'
import { readsOf } from '../helpers/large-reads.ts'

const events = 100_000

test('every filter and order uses an index', { timeout: 1_800_000 }, async () => {
  const app = await serve(await openLarge(events), { CACHE_BYTES: '0' })
  try {
    const named = await findSampleRecords(app.db, now)
    const reads = await readsOf({ app, recorder: recorderOf(app), named, withoutScans: false })
    expect(unexplained(reads)).toEqual([])
    expect(astray(reads, events)).toEqual([])
  } finally {
    await app.close()
  }
})
