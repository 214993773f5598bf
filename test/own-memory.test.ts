import { expect, test } from 'vitest'
import { copyToOwnMemory } from '../src/basics/own-memory.ts'

test('bytes in the shared pool are copied, others are not', () => {
  const pooled = Buffer.from('few')
  expect(pooled.buffer.byteLength).toBeGreaterThan(3)
  const alone = copyToOwnMemory(pooled)
  expect([Buffer.from(alone).toString(), alone.buffer.byteLength]).toEqual(['few', 3])
  expect(copyToOwnMemory(alone)).toBe(alone)
})
