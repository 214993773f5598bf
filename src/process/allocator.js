// With these variables, glibc returns more freed memory to the system. It reads them only when a program starts, so the
// process runs its program once more. Its ID, its arguments and its standard streams stay the same.
import { isMainThread } from 'node:worker_threads'

const { argv, channel, env, execArgv, execPath, platform } = process
const variables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768' }

// A channel to the parent process would be lost. Workers of the cluster have one, and the variables of the supervisor.
const canRestart = platform === 'linux' && isMainThread && channel === undefined

if (canRestart && Object.keys(variables).some((name) => env[name] === undefined)) {
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...variables, ...env })
}
