// Preloaded into a service: SIGUSR2 ends the thread of its embedded database, as a fault in it would.
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

threads.Worker = class extends threads.Worker {
  constructor(...given: ConstructorParameters<typeof threads.Worker>) {
    super(...given)
    process.on('SIGUSR2', () => void this.terminate())
  }
}
syncBuiltinESMExports()
