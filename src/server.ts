// Entry point of the service.
// Before the compile cache, which depends on the flags of V8.
import './process/baseline-compiler.ts'
import './compile-cache.ts'

try {
  const { start } = await import('./process/start.ts')
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
