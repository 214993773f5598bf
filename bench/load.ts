import autocannon from 'autocannon'

export interface Target {
  readonly name: string
  readonly url: string
  /** Body of a POST request, or a function that creates one for each request. Without a body the request is GET. */
  readonly body?: string | (() => string)
  /** Paths or bodies to send in turn, instead of a single one. A function creates the body for each path. */
  readonly spread?: readonly { readonly path?: string; readonly body?: string }[]
  readonly headers?: Readonly<Record<string, string>>
  /** Expected status, if it is not a success. */
  readonly status?: 304
}

export interface Load {
  readonly connections: number
  readonly seconds: number
  readonly rounds: number
}

export interface Measurement {
  readonly name: string
  /** Bytes of a response body. */
  readonly bytes: number
  /** Requests per second of each round. */
  readonly perSecond: readonly number[]
  readonly p50: readonly number[]
  readonly p99: readonly number[]
  /** Responses with the expected status. */
  readonly succeeded: number
  /** Other statuses, connection errors, timeouts and GraphQL errors. */
  readonly failed: number
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

function requestOf({ body, headers = {} }: Target) {
  if (body === undefined) return { method: 'GET' as const, headers }
  const text = typeof body === 'string' ? body : body()
  return { method: 'POST' as const, body: text, headers: { ...json, ...headers } }
}

export interface BenchResponse {
  readonly body: Buffer
  readonly headers: Headers
}

/** Sends one request. Throws if the response is not the expected one. */
export async function sendRequest(target: Target): Promise<BenchResponse> {
  const response = await fetch(target.url, requestOf(target))
  const body = Buffer.from(await response.arrayBuffer())
  const isExpected = target.status === undefined ? response.ok : response.status === target.status
  if (isExpected && isData(body.toString())) return { body, headers: response.headers }
  throw new Error(`${target.name} returned ${response.status}: ${body.toString().slice(0, 300)}`)
}

/** GraphQL responses with errors have status 200. */
const isData = (body: string) => !body.startsWith('{"errors"')

/** Measures the targets in turn, so that a temporary slowdown of the machine affects all of them. */
export async function measure(targets: readonly Target[], load: Load): Promise<Measurement[]> {
  const { connections, seconds } = load
  // Warm-up; very short runs only check that all requests succeed.
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
        bytes: (await sendRequest(target)).body.length,
        perSecond: results.map(({ good, duration }) => good / duration),
        p50: results.map(({ latency }) => latency.p50),
        p99: results.map(({ latency }) => latency.p99),
        succeeded: sum(results.map(({ good }) => good)),
        failed: sum(results.map(({ failed }) => failed)),
      }
    }),
  )
}

/**
 * Each connection starts at another request. Otherwise all would send the same request at about the same time, and what the
 * first one finds out would help the others.
 */
function startApart(requests: readonly autocannon.Request[], connections: number) {
  let clients = 0
  const setupClient = (client: { setRequests(requests: readonly autocannon.Request[]): void }) => {
    const first = Math.floor((clients * requests.length) / connections) % requests.length
    clients += 1
    client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
  }
  return { requests, setupClient }
}

async function run(target: Target, connections: number, duration: number) {
  const { body, spread } = target
  const request = requestOf(target)
  const setup = typeof body === 'function' && { setupRequest: (last: object) => ({ ...last, body: body() }) }
  const requests = (spread ?? (setup ? [{}] : [])).map((one) => ({ ...request, ...one, ...setup }))
  const each = requests.length > 0 ? startApart(requests, connections) : {}
  const load = { url: target.url, ...request, ...each, connections, timeout: 600, verifyBody: isData }
  const result = countFailed(target, await autocannon({ ...load, duration }))
  // Requests in progress are not counted at the end, and may be all of them.
  const isTooShort = result.failed === 0 && result.good < connections
  return isTooShort ? countFailed(target, await autocannon({ ...load, amount: 2 * connections })) : result
}

function countFailed({ status }: Target, result: Awaited<ReturnType<typeof autocannon>>) {
  const good = status === undefined ? result['2xx'] : result['3xx']
  const { errors, timeouts, mismatches } = result
  const others = result['2xx'] + result.non2xx - good
  return { ...result, good, failed: others + errors + timeouts + mismatches }
}
