// Compiles the WebAssembly of the embedded database without optimization. To optimize one function of PostgreSQL takes
// 600 MB for a second at each start, and 50 MB stay in use. With a server, Prisma's WebAssembly is optimized.
import { setFlagsFromString } from 'node:v8'

const url = process.env.DATABASE_URL?.trim() || 'pglite:'
if (url.startsWith('pglite:')) {
  setFlagsFromString('--no-wasm-dynamic-tiering')
  setFlagsFromString('--no-wasm-tier-up')
}
