// With these environment variables, malloc of glibc returns more freed memory to the system. glibc reads them only when a
// program starts, so the process executes Node.js again (execve). Its ID, arguments and standard streams stay the same.
import { isMainThread } from 'node:worker_threads'

const { argv, channel, env, execArgv, execPath, platform } = process
const variables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768' }

// An IPC channel to the parent process would be lost. Workers of the cluster have one, and inherit the variables.
const canExecute = platform === 'linux' && isMainThread && channel === undefined

if (canExecute && Object.keys(variables).some((name) => env[name] === undefined)) {
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...variables, ...env })
}
