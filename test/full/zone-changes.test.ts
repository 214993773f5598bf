import { expect, test } from 'vitest'
import { checkChanges } from '../helpers/zone-changes.ts'

test('around each change of clocks in every zone, the platform agrees, but for zones with newer rules', {
  timeout: 600_000,
}, () => {
  let changes = 0
  const others: string[] = []
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    try {
      changes += checkChanges(zone)
    } catch {
      others.push(zone)
    }
  }
  expect(changes).toBeGreaterThan(10_000)
  // The zone data of the package and of the runtime are not of the same age.
  expect(others.length, others.join(' ')).toBeLessThan(10)
})
