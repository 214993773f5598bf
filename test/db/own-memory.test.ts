import { expect, test } from 'vitest'
import { inOwnMemory } from '../../src/db/pglite/own-memory.ts'

test('bytes of a pool get memory of their own, others keep theirs', () => {
  const pooled = Buffer.from('few')
  expect(pooled.buffer.byteLength).toBeGreaterThan(3)
  const alone = inOwnMemory(pooled)
  expect([Buffer.from(alone).toString(), alone.buffer.byteLength]).toEqual(['few', 3])
  expect(inOwnMemory(alone)).toBe(alone)
})
