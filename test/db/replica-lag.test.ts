import { expect, test } from 'vitest'
import { createLagMeter } from '../../src/engine/postgres/replicas/lag.ts'
import { formatPosition, hasReached, parsePosition } from '../../src/engine/postgres/replicas/position.ts'

test.each(['0/0', '0/3000148', '16/B374D848', 'FFFFFFFF/FFFFFFFF'])('the position %s is read and written', (text) => {
  expect(formatPosition(parsePosition(text) ?? -1n)).toBe(text)
})

test.each(['', '0', '0/', '/0', '0/0/0', '-1/0', '0/123456789', 'G/0', ' 0/0'])('%j is no position', (text) => {
  expect(parsePosition(text)).toBeUndefined()
})

test('a position compares as a number, not as text', () => {
  expect(hasReached(parsePosition('0/10000000') ?? 0n, parsePosition('0/9000000') ?? 0n)).toBe(true)
  expect(hasReached(parsePosition('1/0') ?? 0n, parsePosition('0/FFFFFFFF') ?? 0n)).toBe(true)
  expect(hasReached(99n, 100n)).toBe(false)
})

test('a replica at the end of a page has what the primary reports after the header of the next page', () => {
  expect(hasReached(8192n, 8192n + 24n)).toBe(true)
  expect(hasReached(8192n, 8192n + 32n)).toBe(false)
  expect(hasReached(8191n, 8192n + 24n)).toBe(false)
})

test('the lag is the time since the primary had what the replica lacks', () => {
  const meter = createLagMeter(1000)
  expect(meter.lag(0n, 100)).toBe(0)
  meter.add(10n, 100)
  meter.add(10n, 200)
  meter.add(20n, 300)
  expect(meter.lag(20n, 5000)).toBe(0)
  expect(meter.lag(15n, 350)).toBe(50)
  expect(meter.lag(5n, 350)).toBe(250)
})

test('nothing is missing while nothing is written', () => {
  const meter = createLagMeter(1000)
  for (let time = 100; time < 10_000; time += 100) meter.add(10n, time)
  expect(meter.lag(10n, 10_000)).toBe(0)
})

test('positions of an earlier primary are forgotten when the log of the next one is shorter', () => {
  const meter = createLagMeter(1000)
  meter.add(50n, 100)
  meter.add(40n, 200)
  expect(meter.lag(40n, 1000)).toBe(0)
})

test('a lag beyond REPLICA_MAX_LAG is noticed, however often and for however long positions are added', () => {
  for (const [maxLag, interval] of [
    [1000, 0.1],
    [1000, 250],
    [30_000, 5],
    [600_000, 250],
  ] as const) {
    const meter = createLagMeter(maxLag)
    const end = 3 * maxLag
    let position = 0n
    for (let time = 0; time <= end; time += interval) {
      position += 1n
      meter.add(position, time)
    }
    expect(meter.lag(0n, end)).toBeGreaterThan(1.9 * maxLag)
    // A replica that lacks the second half is as late as that, to one hundredth.
    const half = meter.lag(position / 2n, end)
    expect(half).toBeGreaterThanOrEqual(end / 2 - 2 * interval)
    expect(half).toBeLessThanOrEqual(end / 2 + maxLag / 100 + 2 * interval)
    // The last positions are exact.
    expect(meter.lag(position - 1n, end)).toBeLessThanOrEqual(2 * interval)
  }
})
