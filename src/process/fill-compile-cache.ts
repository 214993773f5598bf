// Fills the compile cache (../basics/compile-cache.js) for the current user: `node src/process/fill-compile-cache.ts`. A service that
// finds a file not cached loads Node's compiler for TypeScript, and keeps it, with 20 MB.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

// With the embedded database V8 has other flags, which have a cache of their own.
for (const DATABASE_URL of ['pglite:', 'postgresql://localhost/calendar']) {
  const args = ['--import', new URL('./preload.js', import.meta.url).href, pathOf('./load-modules.ts')]
  const { status } = spawnSync(process.execPath, args, { env: { ...process.env, DATABASE_URL }, stdio: 'inherit' })
  // Without the cache the service only needs more memory.
  if (status !== 0) console.error('The compile cache was not filled. The first start of the service will do it.')
}
