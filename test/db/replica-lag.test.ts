import { expect, test } from 'vitest'
import { createLagMeter } from '../../src/db/replicas/lag.ts'
import { formatPosition, hasReached, parsePosition } from '../../src/db/replicas/position.ts'

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
  const meter = createLagMeter()
  expect(meter.lag(0n, 100)).toBe(0)
  meter.add(10n, 100)
  meter.add(10n, 200)
  meter.add(20n, 300)
  expect(meter.lag(20n, 5000)).toBe(0)
  expect(meter.lag(15n, 350)).toBe(50)
  expect(meter.lag(5n, 350)).toBe(250)
})

test('nothing is missing while nothing is written', () => {
  const meter = createLagMeter()
  for (let time = 100; time < 10_000; time += 100) meter.add(10n, time)
  expect(meter.lag(10n, 10_000)).toBe(0)
})

test('positions of an earlier primary are forgotten when the log of the next one is shorter', () => {
  const meter = createLagMeter()
  meter.add(50n, 100)
  meter.add(40n, 200)
  expect(meter.lag(40n, 1000)).toBe(0)
})

test('a long lag is at least that of the oldest position that is remembered', () => {
  const meter = createLagMeter()
  for (let n = 1; n <= 2000; n += 1) meter.add(BigInt(n), n)
  expect(meter.lag(0n, 2000)).toBe(499)
})
