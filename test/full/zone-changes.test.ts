import { expect, test } from 'vitest'
import { checkChanges } from '../helpers/zone-changes.ts'

test('conversions agree with Intl around each clock change, except in zones with newer rules', {
  timeout: 600_000,
}, () => {
  let changes = 0
  const differentZones: string[] = []
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    try {
      changes += checkChanges(zone)
    } catch {
      differentZones.push(zone)
    }
  }
  expect(changes).toBeGreaterThan(10_000)
  // The time zone data of the package and of the runtime have different ages.
  expect(differentZones.length, differentZones.join(' ')).toBeLessThan(10)
})
