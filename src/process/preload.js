// Loaded before the entry point of the service: `node --import ./src/process/preload.js src/server.ts`.
// The flags come before the compile cache, which depends on them.
import '../engine/postgres/pglite/wasm-flags.js'
import '../basics/compile-cache.js'
