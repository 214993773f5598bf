// Caches compiled modules, without their types, on disk. Entry points import this first and everything else dynamically, so
// that it takes effect. If the folder is not writable, starts are only slower.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/event-calendar-gateway', import.meta.url)))
