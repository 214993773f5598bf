// Compiles Prisma's `orderBy` to SQL.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Table } from './table.ts'
import { UnsupportedError } from './unsupported.ts'

const { sql, raw, join } = Prisma

/** Compiles `orderBy`. Returns undefined for an empty order. Throws Unsupported for sort keys that are not supported. */
export function orderBySql(table: Table, orderBy: unknown): Prisma.Sql | undefined {
  const keys = (Array.isArray(orderBy) ? orderBy : [orderBy]).flatMap((key) => sortKeys(table, key))
  return keys.length === 0 ? undefined : join(keys, ', ')
}

function sortKeys(table: Table, key: unknown): Prisma.Sql[] {
  if (typeof key !== 'object' || key === null) return []
  return Object.entries(key).flatMap(([name, direction]: [string, unknown]) => {
    if (direction === undefined) return []
    const field = table.model.fields.get(name)
    if (field?.kind === 'column') return [sql`${table.column(field.sql)} ${directionSql(direction)}`]
    if (field && !field.isList) return sortKeys(table.join(field), direction)
    throw new UnsupportedError(`orderBy: ${name}`)
  })
}

function directionSql(direction: unknown): Prisma.Sql {
  if (direction === 'asc' || direction === 'desc') return raw(direction)
  throw new UnsupportedError('orderBy')
}
