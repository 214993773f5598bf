/**
 * Copies small buffers out of Node's shared pool. A cache would otherwise retain the whole pool, and a message to another thread
 * would copy it.
 */
export function copyToOwnMemory(bytes: Uint8Array): Buffer {
  if (bytes.buffer.byteLength === bytes.byteLength) return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer)
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}
