// Entry point of the service.
// `npm start` loads it before this file, which saves memory.
import './process/preload.js'

try {
  const { start } = await import('./process/start.ts')
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
