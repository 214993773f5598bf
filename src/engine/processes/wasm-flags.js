// Flags of V8 for WebAssembly.
import { setFlagsFromString } from 'node:v8'

// While it frees WebAssembly code that it has replaced, V8 sometimes aborts the process, "Check failed: jit_page_->allocations_".
// Without, a few megabytes stay in use.
setFlagsFromString('--no-wasm-code-gc')

// Compiles the embedded database without optimization. To optimize one function of PostgreSQL takes 600 MB for a second at each
// start, and 50 MB stay in use. With a server, Prisma's WebAssembly is optimized.
const url = process.env.DATABASE_URL?.trim() || 'pglite:'
if (url.startsWith('pglite:')) {
  setFlagsFromString('--no-wasm-dynamic-tiering')
  setFlagsFromString('--no-wasm-tier-up')
}
