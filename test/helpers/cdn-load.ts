// Reads through a cache while an event is renamed again and again, and measures how old the answers are.
import { setTimeout } from 'node:timers/promises'
import { Pool } from 'undici'

export interface Load {
  /** URL of the cache. */
  readonly cache: string
  /** URL of the instance that writes. */
  readonly writer: string
  readonly authorization: string
  /** The event, which lists show before others. */
  readonly event: { readonly id: number; readonly slug: string }
  /** How many, or until this promise resolves. */
  readonly reads: number | Promise<unknown>
  readonly connections: number
  readonly writesPerSecond: number
  /** Whether requests may fail now, because the cache is down. */
  readonly isDown?: () => boolean
}

export interface LoadReport {
  readonly requests: number
  readonly writes: number
  /** Part of the responses that came from the cache. */
  readonly hitRate: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
  /** Milliseconds for which the oldest answer had been outdated when its request was sent. */
  readonly oldest: number
  /** Milliseconds by which a busy machine delayed a timer of this process at most. */
  readonly stall: number
  /** Responses that were no success, or that did not show the event. */
  readonly failures: readonly string[]
}

const ns = '/cal/events/v1'

const pathsOf = ({ id, slug }: Load['event']) => [
  `${ns}/events/${id}`,
  `${ns}/events`,
  `/fr${ns}/events?per_page=5`,
  `${ns}/events/by-slug/${slug}`,
  `/graphql?query=${encodeURIComponent(`{ event(id: ${id}) { databaseId title } }`)}`,
  `/graphql?query=${encodeURIComponent('{ events { nodes { title } } }')}`,
  '/en/?view=list',
  `/event/${slug}/`,
  '/events.ics',
  `/embed/event/${slug}`,
]

export async function measureCdn(load: Load): Promise<LoadReport> {
  const { cache, writer, authorization, event, reads, connections, writesPerSecond, isDown } = load
  const pool = new Pool(cache, { connections })
  const paths = pathsOf(event)
  /** When the title with each version was replaced by the next, for the client. */
  const replacedAt: number[] = []
  const latencies: number[] = []
  const failures: string[] = []
  let [sent, hits, oldest, isOver] = [0, 0, 0, false]
  const begun = performance.now()

  let [stall, tick] = [0, performance.now()]
  const timer = setInterval(() => {
    const time = performance.now()
    stall = Math.max(stall, time - tick - 50)
    tick = time
  }, 50)

  const send = async (path: string) => {
    const { statusCode, headers, body } = await pool.request({ path, method: 'GET' })
    return { statusCode, headers, text: await body.text() }
  }

  const write = async () => {
    for (let version = 1; !isOver; version += 1) {
      const next = setTimeout(1000 / writesPerSecond)
      const response = await fetch(`${writer}${ns}/events/${event.id}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `version ${version}` }),
      })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`A write failed with status ${response.status}`)
      replacedAt.push(performance.now())
      await next
    }
  }

  let areReadsOver = () => sent === reads
  if (typeof reads === 'object') {
    let isResolved = false
    const resolve = () => {
      isResolved = true
    }
    reads.then(resolve, resolve)
    areReadsOver = () => isResolved
  }

  const read = async () => {
    while (!areReadsOver()) {
      const path = paths[sent % paths.length] ?? '/'
      sent += 1
      const start = performance.now()
      const response = await send(path).catch((error) => {
        if (!isDown?.()) throw error
      })
      if (!response) {
        await setTimeout(20)
        continue
      }
      const { statusCode, headers, text } = response
      latencies.push(performance.now() - start)
      if (headers['x-cache'] === 'hit') hits += 1
      const version = Number(/version (\d+)/.exec(text)?.[1])
      if (statusCode !== 200 || Number.isNaN(version)) failures.push(`${path}: ${statusCode}`)
      const replaced = replacedAt[version]
      if (replaced !== undefined) oldest = Math.max(oldest, start - replaced)
    }
  }

  const writing = write()
  await Promise.race([Promise.all(Array.from({ length: connections }, read)), writing])
  const seconds = (performance.now() - begun) / 1000
  isOver = true
  clearInterval(timer)
  await writing
  await pool.close()
  latencies.sort((a, b) => a - b)
  const quantile = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN
  return {
    requests: latencies.length,
    writes: replacedAt.length,
    hitRate: hits / latencies.length,
    p50: quantile(0.5),
    p99: quantile(0.99),
    perSecond: latencies.length / seconds,
    oldest,
    stall,
    failures,
  }
}
