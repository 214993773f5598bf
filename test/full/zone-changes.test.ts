import { expect, test } from 'vitest'
import { checkChanges } from '../helpers/zone-changes.ts'

test('around each change of clocks in every zone, the platform agrees', { timeout: 600_000 }, () => {
  const changes = Intl.supportedValuesOf('timeZone').map(checkChanges)
  expect(changes.reduce((sum, number) => sum + number, 0)).toBeGreaterThan(10_000)
})
