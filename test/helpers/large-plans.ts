// The statements that the service sends for a request, and their query plans.
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import type { TestDatabase } from './db.ts'

export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

export interface Recorder {
  /** The read statements that are sent while `ask` runs. */
  record(sendRequest: () => Promise<unknown>): Promise<Statement[]>
  /** The same with the result of `sendRequest`. */
  recordWith<Result>(sendRequest: () => Promise<Result>): Promise<{ statements: Statement[]; result: Result }>
}

/** Records the statements of the pool with their values. */
export function recorderOf({ database: { pool } }: Pick<TestDatabase, 'database'>): Recorder {
  let heard: Statement[] = []
  const running = new Set<Promise<unknown>>()
  const send = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  pool.query = ((query: Statement, values?: unknown[]) => {
    heard.push({ text: query.text, values: [...(query.values ?? values ?? [])] })
    const result = send(query, values)
    running.add(result)
    const end = () => running.delete(result)
    result.then(end, end)
    return result
  }) as unknown as typeof pool.query
  const recordWith: Recorder['recordWith'] = async (sendRequest) => {
    heard = []
    const result = await sendRequest()
    // A response with an error is sent before the other fields are read.
    for (let idle = 0; idle < 3; idle = running.size > 0 ? 0 : idle + 1) {
      await Promise.allSettled(running)
      await setImmediate()
    }
    return { statements: heard, result }
  }
  return { recordWith, record: async (sendRequest) => (await recordWith(sendRequest)).statements }
}

export interface Plan {
  readonly 'Node Type': string
  readonly 'Parent Relationship'?: string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Plan[]
}

/** Plans that are efficient only for large parts of a table, or for small tables. */
const wholesale = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']

/** The plans of the page and of the total count, which lists select in one statement. */
export interface Plans {
  readonly page: readonly Plan[]
  readonly count: readonly Plan[]
}

export async function explain(
  pool: pg.Pool,
  statements: readonly Statement[],
  withoutScans: boolean,
): Promise<Plans[]> {
  const client = await pool.connect()
  try {
    for (const way of withoutScans ? wholesale : []) await client.query(`SET ${way} = off`)
    const plans: Plans[] = []
    for (const { text, values } of statements) {
      const { rows } = await client.query({ text: `EXPLAIN (FORMAT JSON) ${text}`, values: [...(values ?? [])] })
      const [{ 'QUERY PLAN': [explained] = [] } = {}] = rows as { 'QUERY PLAN': { Plan: Plan }[] }[]
      if (explained) plans.push(partsOf(text, explained.Plan))
    }
    return plans
  } finally {
    for (const way of wholesale) await client.query(`RESET ${way}`)
    client.release()
  }
}

/** Number of blocks that the statements read. */
export async function blocksOf(pool: pg.Pool, statements: readonly Statement[]): Promise<number> {
  const client = await pool.connect()
  try {
    let blocks = 0
    for (const { text, values } of statements) {
      const explained = { text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values: [...(values ?? [])] }
      const { rows } = await client.query(explained)
      const { Plan } = rows[0]['QUERY PLAN'][0]
      blocks += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
    }
    return blocks
  } finally {
    client.release()
  }
}

function partsOf(text: string, plan: Plan): Plans {
  if (/^SELECT COUNT\(\*\)/i.test(text)) return { page: [], count: [plan] }
  if (!text.includes('(SELECT count(*)::int FROM')) return { page: [plan], count: [] }
  const isCount = (part: Plan) => part['Parent Relationship'] === 'InitPlan' && part['Node Type'] === 'Aggregate'
  const count = plan.Plans?.find(isCount)
  if (!count) throw new Error(`The statement has no count: ${text}`)
  return { page: [{ ...plan, Plans: plan.Plans?.filter((part) => part !== count) ?? [] }], count: [count] }
}

export const isRead = ({ text }: Statement): boolean => /^\s*(SELECT|WITH)\b/i.test(text)

/** Tables that grow with the calendar. There are few terms. */
const growing = /^(event|content|venue|organizer)(_text|_slug|_venue|_organizer|_category|_tag|_ticket)?$/

/** Partial indexes of few records. */
const partial = /_(un(published|counted)|locked|password_key|lasts_long)_idx$/

/** Nodes that return rows one by one, so that a LIMIT above them stops the scan. */
const lazily = new Set([
  'Limit',
  'Nested Loop',
  'Incremental Sort',
  'Subquery Scan',
  'Append',
  'Merge Append',
  'Gather Merge',
  'Merge Join',
  'Memoize',
  'LockRows',
  'Result',
])

/** Tables and indexes that a plan scans completely. */
export function wholeReads(plan: Plan, stops = false): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '' } = plan
  const wholeTables: string[] = []
  if (growing.test(table)) {
    if (type === 'Seq Scan') wholeTables.push(table)
    // An index in the requested order may be scanned until a page is full.
    const walks = type === 'Index Scan' || type === 'Index Only Scan'
    if (walks && plan['Index Cond'] === undefined && !stops && !partial.test(index)) wholeTables.push(index)
  }
  const passes = type === 'Limit' || (stops && lazily.has(type))
  const inner = (child: Plan) => ['Inner', 'SubPlan', 'InitPlan'].includes(child['Parent Relationship'] ?? '')
  return [
    ...wholeTables,
    ...(plan.Plans ?? []).flatMap((child) => wholeReads(child, passes && (!inner(child) || type === 'Merge Join'))),
  ]
}

/** The indexes that a plan uses. */
export const indexesOf = (plan: Plan): string[] => [
  ...(plan['Index Name'] === undefined ? [] : [plan['Index Name']]),
  ...(plan.Plans ?? []).flatMap(indexesOf),
]
