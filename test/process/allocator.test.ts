// A process that loads src/process/preload.js runs with the variables of glibc.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const { MALLOC_ARENA_MAX: _arenas, MALLOC_MMAP_THRESHOLD_: _threshold, ...env } = process.env
const execArgv = ['--max-semi-space-size=8', '--import', './src/process/preload.js', '-e']
const isLinux = process.platform === 'linux'

test.runIf(isLinux)('the variables are set, and the process stays the same', async () => {
  const code = `const { pid, execArgv, argv, env } = process
    console.log(JSON.stringify({ pid, execArgv, argv, variables: [env.MALLOC_ARENA_MAX, env.MALLOC_MMAP_THRESHOLD_] }))`
  const child = spawn(process.execPath, [...execArgv, code, 'an argument'], { env })
  expect(await json(child.stdout)).toEqual({
    pid: child.pid,
    execArgv: [...execArgv, code],
    argv: [process.execPath, 'an argument'],
    variables: ['2', '32768'],
  })
})

test.runIf(isLinux)('a variable that was set before is kept', () => {
  const code = 'console.log(process.env.MALLOC_ARENA_MAX, process.env.MALLOC_MMAP_THRESHOLD_)'
  const output = execFileSync(process.execPath, [...execArgv, code], { env: { ...env, MALLOC_ARENA_MAX: '7' } })
  expect(output.toString()).toBe('7 32768\n')
})

test('the channel to a parent process stays open', async () => {
  const code = `process.once('message', (message) => process.send(message, () => process.disconnect()))`
  const child = spawn(process.execPath, [...execArgv, code], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  child.send('a message')
  expect(await once(child, 'message')).toEqual(['a message', undefined])
})
