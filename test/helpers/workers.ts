// A service of several processes.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Service } from './process.ts'

/** Process IDs of the workers, in the order of their starts. */
export function workerPids({ child: { pid } }: Service): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}

export function isRunning(pid: number): boolean {
  try {
    // The state of a process that has ended but is still in the table is Z.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The status and body of a response on a connection of its own, which any worker may accept. */
export function getAlone(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    request(url, { agent: false, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode, body })).on('error', reject)
    })
      .on('error', reject)
      .end()
  })
}

/** Sends one request after another until `stop` is called, which returns everything but status 200. */
export function keepRequesting(url: string | (() => string)): { stop(): Promise<string[]> } {
  const failures: string[] = []
  let isStopped = false
  const loop = async () => {
    while (!isStopped) {
      await getAlone(typeof url === 'string' ? url : url()).then(
        ({ status }) => status === 200 || failures.push(`status ${status}`),
        (error) => failures.push(String(error)),
      )
      await setTimeout(2)
    }
  }
  const running = loop()
  return {
    async stop() {
      isStopped = true
      await running
      return failures
    },
  }
}

/** Kills a worker, and waits until the one that replaces it serves requests. */
export async function killWorker(service: Service, pid: number): Promise<void> {
  const count = () => service.output().split('was replaced by process').length
  const before = count()
  process.kill(pid, 'SIGKILL')
  while (count() === before) await setTimeout(50)
}
