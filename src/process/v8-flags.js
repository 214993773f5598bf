import { setFlagsFromString } from 'node:v8'

// V8 collects garbage when the heap is a quarter larger than after the last collection. By default that may be four times as
// large (docs/adr/0022-memory-of-the-embedded-database.md).
setFlagsFromString('--heap-growing-percent=25')

// After a start, most results enter the empty caches. V8 concludes that such objects live long, and would allocate all later
// ones in the old generation, too (docs/adr/0027-garbage-of-requests.md).
setFlagsFromString('--no-allocation-site-pretenuring')

// Compiles the WebAssembly of the embedded database without optimization. To optimize one function of PostgreSQL takes
// 600 MB for a second at each start, and 50 MB stay in use. With a server, Prisma's WebAssembly is optimized.
const url = process.env.DATABASE_URL?.trim() || 'pglite:'
if (url.startsWith('pglite:')) {
  setFlagsFromString('--no-wasm-dynamic-tiering')
  setFlagsFromString('--no-wasm-tier-up')
}
