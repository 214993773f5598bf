import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from './process.ts'

export interface StartedByNpm {
  readonly url: string
  /** The lines that the service printed until it was ready, without those of npm. */
  readonly printed: readonly string[]
  /** Megabytes of memory that the service holds: the least of ten readings within 2 s, in which V8 collects garbage. */
  memory(): Promise<number>
  stop(): Promise<void>
}

/** Runs `npm start` with these settings and no options of Node, and resolves when the service is ready. */
export async function npmStart(env: Readonly<Record<string, string>>): Promise<StartedByNpm> {
  const { PATH = '', HOME = '' } = process.env
  const port = await freePort()
  const child = spawn('npm', ['start'], {
    env: { PATH, HOME, PORT: String(port), LOG_LEVEL: 'warn', RATE_LIMIT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, because npm starts a shell, which starts the service.
    detached: true,
  })
  const ended = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
  while (!printed.includes('The calendar is open')) {
    if (child.exitCode !== null) throw new Error(`The service ended: ${printed}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const url = `http://127.0.0.1:${port}`
  const resident = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(/^process_resident_memory_bytes (.+)$/m.exec(metrics)?.[1]) / 1024 ** 2
  }
  const memory = async () => {
    const readings: number[] = []
    while (readings.length < 10) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      readings.push(await resident())
    }
    return Math.min(...readings)
  }
  const stop = async () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
    await ended
  }
  const lines = printed.split('\n').filter((line) => line !== '' && !line.startsWith('>'))
  return { url, printed: lines, memory, stop }
}

const paths = [
  '/cal/events/v1/events',
  '/cal/events/v1/events?search=concert',
  '/cal/events/v1/venues',
  '/cal/events/v1/tags',
  '/graphql?query={events(first:10){nodes{title,description,venues{name}}}}',
  '/en/',
  '/fr/',
]

/** Sends GET requests to lists, pages and GraphQL, four at a time; most of them differ from all earlier ones. */
export async function sendMixed(url: string, count: number): Promise<void> {
  let sent = 0
  const sender = async () => {
    while (sent < count) {
      const number = sent++
      const path = paths[number % paths.length] ?? '/'
      const response = await fetch(`${url}${path}${path.includes('?') ? '&' : '?'}n=${number}`)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all([sender(), sender(), sender(), sender()])
}
