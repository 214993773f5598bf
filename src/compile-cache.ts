// Imported before all else by what starts a process: code that was compiled once, types stripped, is taken from disk. What
// is to be found there is imported dynamically, after this. Where the folder can't be written, starts are only slower.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/event-calendar-gateway', import.meta.url)))
