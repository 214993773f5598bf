// A real Varnish with docs/deployment/varnish.vcl.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './process.ts'
import { replaceAll } from './replace-all.ts'

const program = '/usr/sbin/varnishd'

export const hasVarnish = existsSync(program)

export interface Varnish {
  readonly url: string
  kill(): Promise<void>
  /** Starts it again with an empty cache. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts Varnish on `port` in front of the service at `backend`. */
export async function startVarnish(backend: string, port: number): Promise<Varnish> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-varnish-'))
  const file = join(folder, 'varnish.vcl')
  const backendPort = new URL(backend).port
  writeFileSync(
    file,
    replaceAll(readFileSync('docs/deployment/varnish.vcl', 'utf8'), { '.port = "4000"': `.port = "${backendPort}"` }),
  )
  const url = `http://127.0.0.1:${port}`
  const start = async () => {
    const options = ['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', file, '-s', 'malloc,64M']
    const child = spawn(program, [...options, '-a', `127.0.0.1:${port}`, '-T', `127.0.0.1:${await freePort()}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let printed = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (printed += text))
    // Until its first probe, Varnish holds the service for unavailable.
    while (!(await isReady(`${url}/health/live`))) {
      if (child.exitCode !== null) throw new Error(`Varnish ended with code ${child.exitCode}: ${printed}`)
      await setTimeout(20)
    }
    return child
  }
  let child = await start()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return {
    url,
    kill,
    async restart() {
      await kill()
      child = await start()
    },
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isReady = (url: string) =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )
