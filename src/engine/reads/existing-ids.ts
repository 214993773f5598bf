import { Prisma } from '../../generated/prisma/client.ts'
import type { Tx } from '../postgres/client.ts'
import { Table } from './table.ts'
import { whereSql } from './where.ts'

const { sql, raw, join } = Prisma

/** Returns the IDs of the records that match a condition, by model. Uses one statement for all models. */
export async function findExistingIds<Model extends string>(
  tx: Tx,
  conditions: ReadonlyMap<Model, object>,
): Promise<ReadonlyMap<Model, ReadonlySet<number>>> {
  if (conditions.size === 0) return new Map()
  const statements = [...conditions].map(([model, where]) => {
    const table = Table.create(model, { opaqueParams: true })
    const condition = whereSql(table, where)
    const id = table.column('"id"')
    return sql`SELECT ${raw(`'${model}'`)} AS name, ${id} AS id FROM ${table.from()} WHERE ${condition}`
  })
  const rows = await tx.$queryRaw<{ name: Model; id: number }[]>(join(statements, ' UNION ALL '))
  const byModel = Map.groupBy(rows, ({ name }) => name)
  return new Map([...byModel].map(([name, found]) => [name, new Set(found.map(({ id }) => id))]))
}
