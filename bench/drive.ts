import autocannon from 'autocannon'

export interface Target {
  readonly name: string
  readonly url: string
  /** Body of a POST request, or what makes one for each; without one it is GET. */
  readonly body?: string | (() => string)
  /** Paths or bodies that take turns, instead of the one above. */
  readonly spread?: readonly { readonly path?: string; readonly body?: string }[]
  readonly headers?: Readonly<Record<string, string>>
  /** What a good answer has, when that is not a success. */
  readonly status?: 304
}

export interface Load {
  readonly connections: number
  readonly seconds: number
  readonly rounds: number
}

export interface Measured {
  readonly name: string
  /** Bytes of an answer's body. */
  readonly bytes: number
  /** An entry a round. */
  readonly perSecond: readonly number[]
  readonly p50: readonly number[]
  readonly p99: readonly number[]
  /** How many answers had the status that was asked for. */
  readonly answered: number
  /** Answers of another status, broken connections, timeouts and GraphQL errors. */
  readonly failed: number
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

function requestOf({ body, headers = {} }: Target) {
  if (body === undefined) return { method: 'GET' as const, headers }
  const text = typeof body === 'string' ? body : body()
  return { method: 'POST' as const, body: text, headers: { ...json, ...headers } }
}

export interface Answer {
  readonly body: Buffer
  readonly headers: Headers
}

/** The answer to one request. Throws unless it is a good one. */
export async function ask(target: Target): Promise<Answer> {
  const response = await fetch(target.url, requestOf(target))
  const body = Buffer.from(await response.arrayBuffer())
  const isGood = target.status === undefined ? response.ok : response.status === target.status
  if (isGood && isData(body.toString())) return { body, headers: response.headers }
  throw new Error(`${target.name} answers ${response.status}: ${body.toString().slice(0, 300)}`)
}

/** GraphQL errors come with status 200. */
const isData = (body: string) => !body.startsWith('{"errors"')

/** Each target in turn, so that what slows the machine down for a while slows down all of them. */
export async function measure(targets: readonly Target[], load: Load): Promise<Measured[]> {
  const { connections, seconds } = load
  // So short a run only shows that everything is answered.
  if (seconds >= 1) for (const target of targets) await run(target, connections, 1)
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
        bytes: (await ask(target)).body.length,
        perSecond: results.map(({ good, duration }) => good / duration),
        p50: results.map(({ latency }) => latency.p50),
        p99: results.map(({ latency }) => latency.p99),
        answered: sum(results.map(({ good }) => good)),
        failed: sum(results.map(({ failed }) => failed)),
      }
    }),
  )
}

async function run(target: Target, connections: number, duration: number) {
  const { body, spread } = target
  const request = requestOf(target)
  const each = spread
    ? { requests: spread.map((one) => ({ ...request, ...one })) }
    : typeof body === 'function'
      ? { requests: [{ setupRequest: (last: object) => ({ ...last, ...request, body: body() }) }] }
      : {}
  const load = { url: target.url, ...request, ...each, connections, duration, timeout: 600, verifyBody: isData }
  const result = await autocannon(load)
  const good = target.status === undefined ? result['2xx'] : result['3xx']
  const { errors, timeouts, mismatches } = result
  const others = result['2xx'] + result.non2xx - good
  return { ...result, good, failed: others + errors + timeouts + mismatches }
}
