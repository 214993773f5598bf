import { Prisma } from '../../generated/prisma/client.ts'
import { Table } from './table.ts'
import { whereSql } from './where.ts'

const { sql, raw } = Prisma

/** One query per model for its name and the IDs of the records that match its condition. */
export function unionOfIds(conditions: ReadonlyMap<string, object>): Prisma.Sql[] {
  return [...conditions].map(([model, where]) => {
    const table = Table.create(model, { opaqueParams: true })
    const condition = whereSql(table, where)
    const id = table.column('"id"')
    return sql`SELECT ${raw(`'${model}'`)} AS name, ${id} AS id FROM ${table.from()} WHERE ${condition}`
  })
}
