/**
 * The same bytes in memory of their own. Small buffers of Node are parts of a pool of 64 KB, and a message to another thread
 * copies all the memory that its bytes are a part of.
 */
export const inOwnMemory = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer.byteLength === bytes.byteLength ? bytes : new Uint8Array(bytes)
