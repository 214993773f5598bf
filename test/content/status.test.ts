import { expect, test } from 'vitest'
import { effectiveStatus } from '../../src/calendar/rules/status.ts'

const now = new Date('2026-11-21T12:00:00Z')
const before = new Date(now.getTime() - 1)
const after = new Date(now.getTime() + 1)

test.each([
  ['publish', before, 'publish'],
  ['publish', now, 'publish'],
  ['publish', after, 'future'],
  ['future', before, 'publish'],
  ['future', now, 'publish'],
  ['future', after, 'future'],
  ['draft', before, 'draft'],
  ['draft', after, 'draft'],
  ['pending', before, 'pending'],
  ['private', after, 'private'],
  ['trash', before, 'trash'],
] as const)('%s with publication at %o is %s', (status, publishedAt, effective) => {
  expect(effectiveStatus({ status, publishedAt }, { hasCome: (publishedAt) => publishedAt <= now })).toBe(effective)
})
