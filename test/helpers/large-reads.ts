// Which lists read tables from end to end.
import type { SampleRecords } from '../../bench/sample-records.ts'
import type { ApiClient, TestApp } from './app.ts'
import { type Question, questionsFor } from './large-lists.ts'
import { explain, indexesOf, isRead, type Recorder, wholeReads } from './large-plans.ts'

export interface Read {
  /** Who asks what, and which of its statements it is. */
  readonly name: string
  readonly of: 'page' | 'count'
  /** Tables and indexes that are read whole. */
  readonly whole: readonly string[]
  /** Indexes that are used. */
  readonly indexes: readonly string[]
}

interface Reading {
  readonly app: Pick<TestApp, 'database' | 'get' | 'graphql' | 'signIn'>
  readonly recorder: Recorder
  readonly named: SampleRecords
  /** Whether the planner must go by an index wherever one can serve: small tables it would rightly read whole. */
  readonly withoutScans: boolean
}

/** Every documented list, for a visitor and for an editor. */
export async function readsOf({ app, recorder, named, withoutScans }: Reading): Promise<Read[]> {
  const readers = { visitor: app, editor: await app.signIn('editor') } as const
  const reads: Read[] = []
  for (const reader of ['visitor', 'editor'] as const) {
    for (const question of questionsFor(reader, named)) {
      const statements = (await recorder.record(() => ask(readers[reader], question))).filter(isRead)
      const found = await explain(app.database.pool, statements, withoutScans)
      for (const of of ['page', 'count'] as const) {
        const plans = found.flatMap((parts) => parts[of])
        const whole = [...new Set(plans.flatMap((plan) => wholeReads(plan)))]
        reads.push({ name: `${reader}: ${question.name}`, of, whole, indexes: plans.flatMap(indexesOf) })
      }
    }
  }
  return reads
}

async function ask(doors: Pick<ApiClient, 'get' | 'graphql'>, { name, url, query }: Question): Promise<void> {
  const { status, body } = await (url === undefined ? doors.graphql(query ?? '') : doors.get(url))
  if (status !== 200 || body.errors) throw new Error(`${name} answers ${status}: ${JSON.stringify(body).slice(0, 300)}`)
}
