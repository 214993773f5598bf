import { describe, expect, test } from 'vitest'
import { weekday, weekendOf, weekRules } from '../../src/basics/dates/week.ts'

test.each([
  ['Europe/Madrid', 1],
  ['Atlantic/Canary', 1],
  ['europe/paris', 1],
  ['America/New_York', 7],
  ['US/Eastern', 7],
  ['America/Puerto_Rico', 7],
  ['America/Argentina/Buenos_Aires', 1],
  ['Asia/Dubai', 1],
  ['Asia/Kolkata', 7],
  ['Africa/Cairo', 6],
  ['Indian/Maldives', 5],
  ['UTC', 1],
  ['Etc/GMT+5', 1],
  ['UTC-5', 1],
  ['+02:00', 1],
])('in %s, weeks begin on day %i', (zone, first) => {
  expect(weekRules(zone).firstDay).toBe(first)
})

test('days have their numbers of ISO 8601', () => {
  expect(['2026-11-16', '2026-11-21', '2026-11-22'].map(weekday)).toEqual([1, 6, 7])
})

describe('the weekend', () => {
  test.each([
    ['Europe/Madrid', '2026-11-16', '2026-11-21', '2026-11-22'],
    ['Europe/Madrid', '2026-11-20', '2026-11-21', '2026-11-22'],
    ['Europe/Madrid', '2026-11-21', '2026-11-21', '2026-11-22'],
    ['Europe/Madrid', '2026-11-22', '2026-11-21', '2026-11-22'],
    ['UTC', '2026-12-28', '2027-01-02', '2027-01-03'],
    ['Africa/Cairo', '2026-11-19', '2026-11-20', '2026-11-21'],
    ['Africa/Cairo', '2026-11-21', '2026-11-20', '2026-11-21'],
    ['Africa/Cairo', '2026-11-22', '2026-11-27', '2026-11-28'],
    ['Asia/Tehran', '2026-11-21', '2026-11-27', '2026-11-27'],
    ['Asia/Kolkata', '2026-11-21', '2026-11-22', '2026-11-22'],
  ])('in %s on %s is from %s to %s', (zone, day, first, last) => {
    expect(weekendOf(day, zone)).toEqual({ first, last })
  })
})
