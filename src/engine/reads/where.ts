// Compiles Prisma's `where` to SQL.
import { Prisma } from '../../generated/prisma/client.ts'
import type { Column, Relation } from '../postgres/data-model.ts'
import { parentId, type SelectedIds, selectedIds, selectIdsSql } from '../postgres/record-reads.ts'
import { findStatementKinds } from './statement-kinds.ts'
import type { Table } from './table.ts'
import { UnsupportedError } from './unsupported.ts'

const { sql, raw, join } = Prisma

const always = raw('TRUE')
const never = raw('FALSE')
/** Column with the ID of the parent, in a statement that reads a list for each of several parents. */
const parentColumn = raw('parent.id')

/** Compiles a filter. Throws Unsupported for filters that the read engine does not support. */
export function whereSql(table: Table, where: object): Prisma.Sql {
  const parts = Object.entries(where).flatMap(([name, filter]) => {
    if (filter === undefined) return []
    if (name === 'AND' || name === 'OR' || name === 'NOT') return combination(table, name, filter)
    const field = table.model.fields.get(name)
    if (field?.kind === 'column') return columnFilter(table, field, filter)
    if (field) return [relationFilter(table, field, filter)]
    if (table.model.compoundKeys.includes(name)) return whereSql(table, filter as object)
    throw new UnsupportedError(`where: ${name}`)
  })
  return andSql(parts)
}

export function andSql(parts: readonly Prisma.Sql[]): Prisma.Sql {
  const needed = parts.filter((part) => part !== always)
  return needed.length === 0 ? always : join(needed, ' AND ')
}

const not = (part: Prisma.Sql) => sql`NOT (${part})`

function combination(table: Table, name: 'AND' | 'OR' | 'NOT', filter: unknown): Prisma.Sql {
  const parts = (Array.isArray(filter) ? filter : [filter]).map((part) => whereSql(table, part as object))
  if (name === 'AND') return andSql(parts)
  if (name === 'NOT') return andSql(parts.map(not))
  if (parts.length === 0) return never
  return sql`(${join(
    parts.map((part) => sql`(${part})`),
    ' OR ',
  )})`
}

const comparisons: Readonly<Record<string, string>> = { lt: '<', lte: '<=', gt: '>', gte: '>=' }

function columnFilter(table: Table, column: Column, filter: unknown): Prisma.Sql[] {
  const own = table.column(column.sql)
  table.addCondition(column.name)
  if (!isFilterObject(filter)) return [equals(table, column, own, filter)]
  const { mode, [selectedIds]: selected, ...operators } = filter as { mode?: unknown; [selectedIds]?: SelectedIds }
  if (selected) return [isSelected(table, own, selected)]
  const like = raw(mode === 'insensitive' ? 'ILIKE' : 'LIKE')
  return Object.entries(operators)
    .filter(([, value]) => value !== undefined)
    .map(([operator, value]) =>
      column.isList
        ? listFilter(table, column, own, operator, value)
        : scalarFilter(table, column, own, operator, value, like),
    )
}

function scalarFilter(
  table: Table,
  column: Column,
  own: Prisma.Sql,
  operator: string,
  value: unknown,
  like: Prisma.Sql,
): Prisma.Sql {
  switch (operator) {
    case 'equals':
      return equals(table, column, own, value)
    case 'contains':
      if (typeof value !== 'string' || column.type !== 'String') throw new UnsupportedError(`where: ${column.name}`)
      // Like Prisma, does not escape `%` and `_` in the value.
      return sql`${own} ${like} ${table.param(`%${value}%`, column.native)}`
    case 'not':
      if (value === null) return sql`${own} IS NOT NULL`
      if (isFilterObject(value)) return not(andSql(columnFilter(table, column, value)))
      return sql`${own} <> ${param(table, column, value)}`
    case 'in':
      // FALSE instead of an empty array, for which the planner would expect matching rows.
      if (isEmpty(value)) return never
      return sql`${own} = ANY(${arrayParam(table, column, value)})`
    case 'notIn':
      if (isEmpty(value)) return always
      return sql`${own} <> ALL(${arrayParam(table, column, value)})`
    default: {
      const sign = comparisons[operator]
      if (sign === undefined || value === null) throw new UnsupportedError(`where: ${column.name}.${operator}`)
      return sql`${own} ${raw(sign)} ${param(table, column, value)}`
    }
  }
}

function listFilter(table: Table, column: Column, own: Prisma.Sql, operator: string, value: unknown): Prisma.Sql {
  switch (operator) {
    case 'has':
      return sql`${param(table, column, value)} = ANY(${own})`
    case 'isEmpty':
      return value === true ? sql`cardinality(${own}) = 0` : sql`cardinality(${own}) > 0`
    default:
      throw new UnsupportedError(`where: ${column.name}.${operator}`)
  }
}

function equals(table: Table, column: Column, own: Prisma.Sql, value: unknown): Prisma.Sql {
  if (value === null) return sql`${own} IS NULL`
  if (column.isList) throw new UnsupportedError(`where: ${column.name}`)
  // A literal instead of a placeholder, so that the planner can estimate how many rows have this value.
  if (typeof value === 'boolean') return sql`${own} = ${raw(String(value))}`
  return sql`${own} = ${param(table, column, value)}`
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const comparable = new Set(['Int', 'BigInt', 'Float', 'Decimal', 'String', 'Boolean', 'DateTime'])

function param(table: Table, column: Column, value: unknown): Prisma.Sql {
  if (value === parentId) return parentColumn
  if (column.isEnum) return enumLiteral(column, value)
  if (!comparable.has(column.type) || typeof value === 'function' || isFieldReference(value)) {
    throw new UnsupportedError(`where: ${column.name}`)
  }
  return table.param(toParam(value), column.native)
}

function arrayParam(table: Table, column: Column, value: unknown): Prisma.Sql {
  if (!Array.isArray(value)) throw new UnsupportedError(`where: ${column.name}`)
  if (column.isEnum) {
    const items = value.map((item) => enumLiteral(column, item))
    return items.length === 0 ? raw(`ARRAY[]::${column.native}[]`) : sql`ARRAY[${join(items, ', ')}]`
  }
  if (!comparable.has(column.type)) throw new UnsupportedError(`where: ${column.name}`)
  return table.param(value.map(toParam), `${column.native}[]`)
}

/** Converts a value to a bound value. Decimals become text, because a JavaScript number could not hold them. */
const toParam = (value: unknown) =>
  Prisma.Decimal.isDecimal(value) || typeof value === 'bigint' ? value.toString() : value

/** Returns an enum value as a literal, so that the planner can estimate how many rows have this value. */
function enumLiteral({ native, name }: Column, value: unknown): Prisma.Sql {
  if (typeof value !== 'string' || !/^\w+$/.test(value)) throw new UnsupportedError(`where: ${name}`)
  return raw(`'${value}'::${native}`)
}

function relationFilter(table: Table, relation: Relation, filter: unknown): Prisma.Sql {
  if (relation.isList) return toManyFilter(table, relation, filter)
  if (filter === null) return toOneFilter(table, relation, null)
  if (!isFilterObject(filter)) throw new UnsupportedError(`where: ${relation.name}`)
  if ('is' in filter || 'isNot' in filter) throw new UnsupportedError(`where: ${relation.name}`)
  return toOneFilter(table, relation, filter)
}

function toOneFilter(table: Table, relation: Relation, where: object | null): Prisma.Sql {
  if (where === null) return isMissing(table, relation)
  const isAlwaysThere = relation.isRequired && relation.holdsForeignKey
  if (isAlwaysThere) return whereSql(table.join(relation), where)
  return exists(table, relation, where)
}

/**
 * Returns the condition that the SELECT contains the ID. If the statement stops early, the SELECT runs per record. Otherwise the
 * SELECT runs once: IS TRUE and OFFSET prevent a join, because the planner underestimates the cost of comparing long texts.
 */
function isSelected(table: Table, own: Prisma.Sql, selected: SelectedIds): Prisma.Sql {
  for (const kind of findStatementKinds(selectIdsSql(selected).text).kinds) table.reads.kinds.add(kind)
  if (table.readsMost) return sql`(${own} IN (${selectIdsSql(selected)})) IS TRUE`
  return sql`EXISTS (SELECT ${selected.rows} AND ${selected.id} = ${own} OFFSET 0)`
}

function isMissing(table: Table, relation: Relation): Prisma.Sql {
  const [pair] = relation.on
  if (!relation.holdsForeignKey || !pair) throw new UnsupportedError(`where: ${relation.name}`)
  return sql`${table.column(pair.from)} IS NULL`
}

function toManyFilter(table: Table, relation: Relation, filter: unknown): Prisma.Sql {
  if (!isFilterObject(filter)) throw new UnsupportedError(`where: ${relation.name}`)
  const parts = Object.entries(filter).flatMap(([quantifier, where]) => {
    if (where === undefined) return []
    if (quantifier === 'some') return [exists(table, relation, where)]
    if (quantifier === 'none') return [not(exists(table, relation, where))]
    throw new UnsupportedError(`where: ${relation.name}.${quantifier}`)
  })
  return andSql(parts)
}

function exists(table: Table, relation: Relation, where: object): Prisma.Sql {
  const other = table.related(relation)
  const condition = andSql([table.link(relation, other), whereSql(other, where)])
  return sql`EXISTS (SELECT FROM ${other.from()} WHERE ${condition})`
}

const isFilterObject = (value: unknown): value is Readonly<Record<string, never>> =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Date) &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array) &&
  !Prisma.Decimal.isDecimal(value)

/** Whether the value is a field reference of Prisma, such as `db.event.fields.startsAt`, for comparing two columns. */
const isFieldReference = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'modelName' in value && 'typeName' in value
