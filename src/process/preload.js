// Loaded before the entry point of the service: `node --import ./src/process/preload.js src/server.ts`.
// First, because it may start the program again.
import './allocator.js'
// Before the compile cache, which depends on the flags of V8.
import './v8-flags.js'
import '../basics/compile-cache.js'
