import autocannon from 'autocannon'

export interface Target {
  readonly name: string
  readonly url: string
  /** Body of a POST request; without one it is GET. */
  readonly body?: string
}

export interface Load {
  readonly connections: number
  readonly seconds: number
  readonly rounds: number
}

export interface Measured {
  readonly name: string
  /** Bytes of an answer. */
  readonly bytes: number
  /** An entry a round. */
  readonly perSecond: readonly number[]
  readonly p50: readonly number[]
  readonly p99: readonly number[]
  readonly non2xx: number
  /** Broken connections, timeouts and GraphQL errors. */
  readonly failed: number
}

const headers = { accept: 'application/json', 'content-type': 'application/json' }

const requestOf = ({ body }: Target) =>
  body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body, headers }

/** The answer to one request. Throws unless it is a success. */
export async function ask(target: Target): Promise<Buffer> {
  const response = await fetch(target.url, requestOf(target))
  const answer = Buffer.from(await response.arrayBuffer())
  if (response.ok && isData(answer.toString())) return answer
  throw new Error(`${target.name} answers ${response.status}: ${answer.toString().slice(0, 300)}`)
}

/** GraphQL errors come with status 200. */
const isData = (body: string) => !body.startsWith('{"errors"')

/** Each target in turn, so that what slows the machine down for a while slows down all of them. */
export async function measure(targets: readonly Target[], load: Load): Promise<Measured[]> {
  const { connections, seconds } = load
  for (const target of targets) await run(target, connections, 1)
  const rounds: Awaited<ReturnType<typeof run>>[][] = []
  for (let round = 0; round < load.rounds; round++) {
    const results = []
    for (const target of targets) results.push(await run(target, connections, seconds))
    rounds.push(results)
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
  return Promise.all(
    targets.map(async (target, index) => {
      const results = rounds.flatMap((round) => round[index] ?? [])
      return {
        name: target.name,
        bytes: (await ask(target)).length,
        perSecond: results.map((result) => result['2xx'] / result.duration),
        p50: results.map((result) => result.latency.p50),
        p99: results.map((result) => result.latency.p99),
        non2xx: sum(results.map((result) => result.non2xx)),
        failed: sum(results.map(({ errors, timeouts, mismatches }) => errors + timeouts + mismatches)),
      }
    }),
  )
}

const run = (target: Target, connections: number, duration: number) =>
  autocannon({ url: target.url, ...requestOf(target), connections, duration, verifyBody: isData })
