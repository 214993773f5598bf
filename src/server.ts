// Entry point of the service.
// `npm start` loads it before this file, which saves memory.
import './engine/processes/preload.js'

try {
  const { startProcess } = await import('./start/start.ts')
  await startProcess()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
