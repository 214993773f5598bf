import { expect, test } from 'vitest'
import { checkChanges } from './helpers/zone-changes.ts'

// A sample: clocks that change by half an hour, at midnight, by a day, seldom or every year; test/full has all zones.
test.each([
  ...['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Africa/Casablanca'],
  ...[
    'Asia/Tehran',
    'Asia/Gaza',
    'Pacific/Apia',
    'America/Caracas',
    'Asia/Pyongyang',
    'Europe/Moscow',
    'Antarctica/Troll',
  ],
])('around each change of clocks in %s, the platform agrees', (zone) => {
  expect(checkChanges(zone)).toBeGreaterThan(0)
})
