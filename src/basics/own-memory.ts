/**
 * Copies small buffers out of Node's shared buffer pool. Otherwise a cached buffer would keep the whole pool in memory, and a
 * message to another thread would copy the whole pool.
 */
export function copyToOwnMemory(bytes: Uint8Array): Buffer {
  if (bytes.buffer.byteLength === bytes.byteLength) return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer)
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}
