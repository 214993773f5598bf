// A real Varnish with docs/deployment/varnish.vcl.
import { existsSync } from 'node:fs'
import { freePort } from './process.ts'
import { configure, type Program, startProgram } from './program.ts'

const program = '/usr/sbin/varnishd'

export const hasVarnish = existsSync(program)

export interface Varnish extends Program {
  readonly url: string
}

/**
 * Starts Varnish on `port` in front of the service at `backend`, with parameters such as `send_timeout=1`. After a restart its
 * cache is empty.
 */
export async function startVarnish(
  backend: string,
  port: number,
  parameters: readonly string[] = [],
): Promise<Varnish> {
  const { folder, file } = configure('varnish.vcl', () => ({
    '.port = "4000"': `.port = "${new URL(backend).port}"`,
  }))
  const url = `http://127.0.0.1:${port}`
  const addresses = ['-a', `127.0.0.1:${port}`, '-T', `127.0.0.1:${await freePort()}`]
  const options = [...addresses, ...parameters.flatMap((parameter) => ['-p', parameter])]
  const command = [program, '-F', '-j', 'none', '-n', `${folder}/work`, '-f', file, '-s', 'malloc,64M', ...options]
  // Until its first probe, Varnish holds the service for unavailable.
  return { url, ...(await startProgram({ command, port, folder, isReady: () => isReady(`${url}/health/live`) })) }
}

const isReady = (url: string) =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer()
      return response.ok
    },
    () => false,
  )
