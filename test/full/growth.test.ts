// The cost of a page does not grow with the number of events. plans.test.ts bounds that of searches.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../bench/report.ts'
import { benchRequests } from '../../bench/requests.ts'
import { findSampleRecords } from '../../bench/sample-records.ts'
import { now, serve, type TestApp } from '../helpers/app.ts'
import { openLarge } from '../helpers/large.ts'

const max = 1.5
const inWindow = 300
const sizes = { small: 1000, large: 100_000 } as const
type Size = keyof typeof sizes

const apps = {} as Record<Size, TestApp>
const requested = {} as Record<Size, ReadonlyMap<string, () => Promise<unknown>>>

beforeAll(async () => {
  for (const size of ['small', 'large'] as const) {
    apps[size] = await serve(await openLarge(sizes[size], { inWindow }), { CACHE_BYTES: '0' })
    requested[size] = await requestsByName(apps[size], sizes[size])
  }
})
afterAll(() => Promise.all(Object.values(apps).map((app) => app.close())))

const timeout = 600_000

test('the default list takes the same time with more events outside its window', { timeout }, async () => {
  await expectSame(['small', 'default list'], ['large', 'default list'])
})

test('a page without a total takes the same time with more events', { timeout }, async () => {
  await expectSame(['small', 'list without total'], ['large', 'list without total'])
})

test('only the total takes longer with more events in the window', { timeout }, async () => {
  // Moves three of five past events into the window.
  const { db } = apps.large
  await db.$executeRaw`
    UPDATE event SET starts_at = starts_at + interval '705 days', ends_at = ends_at + interval '705 days',
      starts_local = starts_local + interval '705 days', ends_local = ends_local + interval '705 days'
    WHERE ends_at < ${now}::timestamptz AND id % 5 < 3`
  await db.$executeRaw`VACUUM ANALYZE event`
  const [small = Number.NaN, large = Number.NaN] = await medians([
    ['small', 'count apart'],
    ['large', 'count apart'],
  ])
  console.info(`Counting: ${small.toFixed(1)} ms of ${sizes.small} events, ${large.toFixed(1)} ms of ${sizes.large}`)
  await expectSame(['small', 'list without total'], ['large', 'list without total'])
})

test('page 1,000 by cursor takes as long as page 1', { timeout }, async () => {
  await expectSame(['large', 'cursor, page 1'], ['large', 'cursor, page 1000 or last'])
})

async function requestsByName(app: TestApp, events: number) {
  const bodyOf = async (name: string, ask: () => Promise<{ status: number; body: { errors?: unknown } }>) => {
    const { status, body } = await ask()
    if (status !== 200 || body.errors) throw new Error(`${name} returned ${status}: ${JSON.stringify(body.errors)}`)
    return body
  }
  const results = new Map<string, () => Promise<unknown>>()
  for (const { name, url, query, prepare } of benchRequests(await findSampleRecords(app.db, now), now, events)) {
    const text = query ?? (await prepare?.(async (requested) => (await app.graphql(requested)).body.data)) ?? ''
    results.set(name, () => bodyOf(name, () => (url === undefined ? app.graphql(text) : app.get(url))))
  }
  return results
}

type MeasuredRequest = readonly [size: Size, name: string]

/** Repeats a comparison up to three times, since other processes can disturb a measurement. */
async function expectSame(base: MeasuredRequest, other: MeasuredRequest): Promise<void> {
  const ratios: number[] = []
  for (let attempt = 0; attempt < 3 && !ratios.some((ratio) => ratio <= max); attempt++) {
    const [first = Number.NaN, second = Number.NaN] = await medians([base, other])
    ratios.push(second / first)
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(max)
}

/** Median times in milliseconds of requests that are sent in turn. */
async function medians(pairs: readonly MeasuredRequest[], rounds = 40): Promise<number[]> {
  const times = pairs.map((): number[] => [])
  for (let round = -5; round < rounds; round++) {
    for (const [place, [size, name]] of pairs.entries()) {
      const start = performance.now()
      await requested[size].get(name)?.()
      // The first rounds are a warm-up.
      if (round >= 0) times[place]?.push(performance.now() - start)
    }
  }
  return times.map(median)
}
