// Caches compiled modules, without their types, on disk. Threads and processes load this by `--import`, before their entry
// point: for a TypeScript file that is not in the cache, Node.js loads its compiler and keeps it, with 20 MB. That is also why
// this is JavaScript. If the folder is not writable, starts are only slower and need more memory.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/event-calendar-gateway', import.meta.url)))
