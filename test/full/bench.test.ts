// Checks that the benchmark runs, not its results.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism, loadavg } from 'node:os'
import { text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'

test.skipIf(inject('server'))('a short benchmark succeeds', async () => {
  const { PATH = '' } = process.env
  // On a busy machine, requests may not complete in such a short time.
  const seconds = 0.2 * Math.max(1, (2 * (loadavg()[0] ?? 0)) / availableParallelism())
  const args = [
    'bench/run.ts',
    '--seconds',
    seconds.toFixed(1),
    '--rounds',
    '1',
    '--events',
    '200',
    '--connections',
    '2',
  ]
  const child = spawn(process.execPath, args, {
    env: { PATH, REQUEST_TIMEOUT: '600000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const row of ['REST list, 304 / static, 304', 'REST create / SQL create', 'start to first response', 'import']) {
    expect(out).toContain(row)
  }
})
