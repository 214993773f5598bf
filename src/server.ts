// Entry point of the service.
import './compile-cache.ts'

try {
  const { start } = await import('./process/start.ts')
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
