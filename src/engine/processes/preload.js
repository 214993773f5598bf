// Loaded before the entry point of the service, `node --import ./src/engine/processes/preload.js src/server.ts`, and by that of
// the command line.
// The flags come before the compile cache, which depends on them.
import './wasm-flags.js'
import '../../basics/compile-cache.js'
