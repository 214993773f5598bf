/**
 * Copies small buffers out of Node's shared pool. A message to another thread would otherwise copy the whole pool with them.
 */
export const inOwnMemory = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes)
