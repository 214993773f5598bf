// That the benchmark runs: its numbers are nobody's business here.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'

test.skipIf(inject('server'))('a short run answers every request well, and the same by every way', async () => {
  const { PATH = '' } = process.env
  const args = ['bench/run.ts', '--seconds', '0.2', '--rounds', '1', '--events', '200', '--connections', '2']
  const child = spawn(process.execPath, args, { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const row of ['REST list, 304 / static, 304', 'REST create / SQL create', 'start to first answer', 'import']) {
    expect(out).toContain(row)
  }
})
