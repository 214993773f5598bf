// Finds lists that scan whole tables.
import type { SampleRecords } from '../../bench/sample-records.ts'
import type { ApiClient, TestApp } from './app.ts'
import { type ListRequest, requestsFor } from './large-lists.ts'
import { explain, indexesOf, isRead, type Plans, type Recorder, type Statement, wholeReads } from './large-plans.ts'
import { partOf } from './runs.ts'

export interface Read {
  /** User, request and statement number. */
  readonly name: string
  readonly of: 'page' | 'count'
  /** Tables and indexes that are scanned completely. */
  readonly whole: readonly string[]
  /** Indexes that are used. */
  readonly indexes: readonly string[]
}

interface Reading {
  readonly app: Pick<TestApp, 'database' | 'get' | 'graphql' | 'signIn'>
  readonly recorder: Recorder
  readonly named: SampleRecords
  /** Whether the planner must use an index where possible. For small tables it would rightly scan the table. */
  readonly withoutScans: boolean
}

/** Reads every documented list as an anonymous user and as an editor. */
export async function readsOf({ app, recorder, named, withoutScans }: Reading): Promise<Read[]> {
  const readers = { visitor: app, editor: await app.signIn('editor') } as const
  const reads: Read[] = []
  // Requests share statements, such as those of the records that events are linked to.
  const planned = new Map<string, Plans>()
  const plansOf = async (statements: readonly Statement[]) => {
    const fresh = new Map(statements.map((statement) => [JSON.stringify(statement), statement]))
    for (const key of planned.keys()) fresh.delete(key)
    const explained = await explain(app.database.pool, [...fresh.values()], withoutScans)
    for (const [index, key] of [...fresh.keys()].entries())
      planned.set(key, explained[index] ?? { page: [], count: [] })
    return statements.flatMap((statement) => planned.get(JSON.stringify(statement)) ?? [])
  }
  for (const reader of ['visitor', 'editor'] as const) {
    // Editors filter like visitors, among more events: a sixth of their requests, all of them of a large calendar.
    const requests = requestsFor(reader, named)
    for (const request of withoutScans && reader === 'editor' ? partOf(requests, 6) : requests) {
      const statements = (await recorder.record(() => sendRequest(readers[reader], request))).filter(
        (statement) => isRead(statement) && !stopsEarly(statement),
      )
      const results = await plansOf(statements)
      for (const of of ['page', 'count'] as const) {
        const plans = results.flatMap((parts) => parts[of])
        const whole = [...new Set(plans.flatMap((plan) => wholeReads(plan)))]
        reads.push({ name: `${reader}: ${request.name}`, of, whole, indexes: plans.flatMap(indexesOf) })
      }
    }
  }
  return reads
}

/** Whether few records match is known after the first of them. */
const stopsEarly = ({ text }: { readonly text: string }) => text.endsWith('AS few')

async function sendRequest(
  client: Pick<ApiClient, 'get' | 'graphql'>,
  { name, url, query }: ListRequest,
): Promise<void> {
  const { status, body } = await (url === undefined ? client.graphql(query ?? '') : client.get(url))
  if (status !== 200 || body.errors)
    throw new Error(`${name} returned ${status}: ${JSON.stringify(body).slice(0, 300)}`)
}
