// A calendar may grow: what a page of its list costs hangs on the page, not on how many events there are.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { median } from '../../bench/report.ts'
import { benchRequests } from '../../bench/requests.ts'
import { findSampleRecords } from '../../bench/sample-records.ts'
import { now, serve, type TestApp } from '../helpers/app.ts'
import { openLarge } from '../helpers/large.ts'

const most = 1.5
const inWindow = 300
const sizes = { small: 1000, large: 100_000 } as const
type Size = keyof typeof sizes

const apps = {} as Record<Size, TestApp>
const asked = {} as Record<Size, ReadonlyMap<string, () => Promise<unknown>>>

beforeAll(async () => {
  for (const size of ['small', 'large'] as const) {
    apps[size] = await serve(await openLarge(sizes[size], { inWindow }), { CACHE_BYTES: '0' })
    asked[size] = await questions(apps[size], sizes[size])
  }
}, 1_800_000)
afterAll(() => Promise.all(Object.values(apps).map((app) => app.close())))

const timeout = 600_000

test('with as many events in its window, the default list costs the same', { timeout }, async () => {
  await expectSame(['small', 'default list'], ['large', 'default list'])
})

test('the page without total costs the same', { timeout }, async () => {
  await expectSame(['small', 'list without total'], ['large', 'list without total'])
})

test('also when most events lie in the window, which the count alone tells', { timeout }, async () => {
  // Those that are over happen again: three of five.
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

test('page 1,000 by cursor costs as much as page 1', { timeout }, async () => {
  await expectSame(['large', 'cursor, page 1'], ['large', 'cursor, page 1000 or last'])
})

async function questions(app: TestApp, events: number) {
  const answered = async (name: string, ask: () => Promise<{ status: number; body: { errors?: unknown } }>) => {
    const { status, body } = await ask()
    if (status !== 200 || body.errors) throw new Error(`${name} answers ${status}: ${JSON.stringify(body.errors)}`)
    return body
  }
  const found = new Map<string, () => Promise<unknown>>()
  for (const { name, url, query, prepare } of benchRequests(await findSampleRecords(app.db, now), now, events)) {
    const text = query ?? (await prepare?.(async (asked) => (await app.graphql(asked)).body.data)) ?? ''
    found.set(name, () => answered(name, () => (url === undefined ? app.graphql(text) : app.get(url))))
  }
  return found
}

type Asked = readonly [size: Size, question: string]

/** Other work on the machine may disturb one measurement, hardly three. */
async function expectSame(base: Asked, other: Asked): Promise<void> {
  const ratios: number[] = []
  for (let attempt = 0; attempt < 3 && !ratios.some((ratio) => ratio <= most); attempt++) {
    const [first = Number.NaN, second = Number.NaN] = await medians([base, other])
    ratios.push(second / first)
  }
  expect(Math.min(...ratios)).toBeLessThanOrEqual(most)
}

/** Milliseconds, of questions asked in turn. */
async function medians(pairs: readonly Asked[], rounds = 40): Promise<number[]> {
  const times = pairs.map((): number[] => [])
  for (let round = -5; round < rounds; round++) {
    for (const [place, [size, question]] of pairs.entries()) {
      const start = performance.now()
      await asked[size].get(question)?.()
      // The first ones warm up.
      if (round >= 0) times[place]?.push(performance.now() - start)
    }
  }
  return times.map(median)
}
