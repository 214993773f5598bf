// The work of the database for a request: the blocks that its statements read, which do not depend on the speed of the machine.
import type { ApiClient, TestApp } from './app.ts'
import { isRead, recorderOf, type Statement } from './large-plans.ts'

export interface Work {
  /** Blocks that all statements read from memory or disk, and blocks of temporary files. */
  readonly blocks: number
  /** The statement that reads most of them. */
  readonly largest: Statement & { readonly blocks: number }
}

export interface Priced {
  readonly cost: number
  readonly work: Work
}

export interface WorkMeter {
  measure<Result>(sendRequest: () => Promise<Result>): Promise<{ readonly result: Result; readonly work: Work }>
  /** `cost` is undefined for an operation that was rejected. */
  graphql(
    client: ApiClient,
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<{
    readonly status: number
    readonly errors: unknown
    readonly cost: number | undefined
    readonly work: Work
  }>
}

export const workPerCost = ({ cost, work }: Priced): number => work.blocks / cost

export function workMeterOf(app: Pick<TestApp, 'database'>): WorkMeter {
  const { pool } = app.database
  const recorder = recorderOf(app)
  const blocksOf = async ({ text, values = [] }: Statement): Promise<number> => {
    const explain = 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON)'
    const { rows } = await pool.query({ text: `${explain} ${text}`, values: [...values] })
    const { Plan: plan } = rows[0]['QUERY PLAN'][0]
    return ['Shared Hit', 'Shared Read', 'Temp Read', 'Temp Written'].reduce((sum, of) => sum + plan[`${of} Blocks`], 0)
  }
  const measure: WorkMeter['measure'] = async (sendRequest) => {
    const { statements, result } = await recorder.recordWith(sendRequest)
    const works: Work['largest'][] = []
    for (const statement of statements.filter(isRead)) {
      works.push({ ...statement, blocks: await blocksOf(statement) })
    }
    const largest = works.reduce((one, other) => (other.blocks > one.blocks ? other : one), { text: '', blocks: 0 })
    return { result, work: { blocks: works.reduce((sum, { blocks }) => sum + blocks, 0), largest } }
  }
  return {
    measure,
    async graphql(client, query, variables) {
      const { result, work } = await measure(() => client.graphql(query, variables, '', { 'graphql-cost': 'tell' }))
      const { errors, extensions } = result.body
      return { status: result.status, errors, cost: extensions?.cost?.requested, work }
    },
  }
}
