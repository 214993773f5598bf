// Preloaded into a service: SIGUSR2 terminates the thread of its embedded database, like a crash.
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

threads.Worker = class extends threads.Worker {
  constructor(...args: ConstructorParameters<typeof threads.Worker>) {
    super(...args)
    process.on('SIGUSR2', () => void this.terminate())
  }
}
syncBuiltinESMExports()
