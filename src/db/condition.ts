// Conditions as Prisma has them (`where`), written as SQL.
import type { Column, Relation } from './models.ts'
import { type Scope, Unsupported } from './scope.ts'

const comparisons: Readonly<Record<string, string>> = { equals: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' }

/** Throws Unsupported for what it has no words for. */
export function condition(scope: Scope, where: object): string {
  const parts = Object.entries(where).flatMap(([name, given]) => {
    if (given === undefined) return []
    if (name === 'AND' || name === 'OR' || name === 'NOT') return [combined(scope, name, given)]
    const field = scope.model.fields.get(name)
    if (!field) throw new Unsupported(`where ${name}`)
    if (field.kind === 'column') return compared(scope, field, given)
    return [related(scope, name, field, given)]
  })
  return all(parts)
}

const all = (parts: readonly string[]) => (parts.length === 0 ? 'TRUE' : parts.join(' AND '))

function combined(scope: Scope, name: 'AND' | 'OR' | 'NOT', given: unknown): string {
  const parts = (Array.isArray(given) ? given : [given]).map((part) => condition(scope, part))
  if (name === 'AND') return all(parts.filter((part) => part !== 'TRUE'))
  if (name === 'NOT') return all(parts.map((part) => `NOT (${part})`))
  return parts.length === 0 ? 'FALSE' : `(${parts.map((part) => `(${part})`).join(' OR ')})`
}

function compared(scope: Scope, column: Column, given: unknown): string[] {
  const own = scope.column(column.sql)
  if (!isObject(given)) return [equal(scope, column, own, given)]
  return Object.entries(given).flatMap(([operator, value]) => {
    if (value === undefined) return []
    if (operator === 'not' && isObject(value)) throw new Unsupported('not')
    if (operator === 'not') return [value === null ? `${own} IS NOT NULL` : `${own} <> ${param(scope, column, value)}`]
    if (operator === 'equals') return [equal(scope, column, own, value)]
    if (operator === 'in' && Array.isArray(value)) return [`${own} = ANY(${param(scope, column, value, '[]')})`]
    if (operator === 'notIn' && Array.isArray(value)) return [`${own} <> ALL(${param(scope, column, value, '[]')})`]
    const sign = comparisons[operator]
    if (sign === undefined || value === null) throw new Unsupported(operator)
    return [`${own} ${sign} ${param(scope, column, value)}`]
  })
}

function equal(scope: Scope, column: Column, own: string, value: unknown): string {
  if (value === null) return `${own} IS NULL`
  // Written out: the planner knows then how many they are.
  if (typeof value === 'boolean') return `${own} = ${value}`
  return `${own} = ${param(scope, column, value)}`
}

function param({ values }: Scope, { isEnum, native, type }: Column, value: unknown, list = ''): string {
  if (native === undefined) throw new Unsupported(type)
  if (!isEnum) return values.add(value, native + list)
  // Written out, as what is known of a status depends on which it is.
  if (list === '') return named(native, value)
  return `ARRAY[${(value as unknown[]).map((each) => named(native, each)).join(', ')}]::${native}[]`
}

/** One of the words that the schema knows. */
function named(type: string, value: unknown): string {
  if (typeof value !== 'string' || !/^\w+$/.test(value)) throw new Unsupported(type)
  return `'${value}'::${type}`
}

function related(scope: Scope, name: string, relation: Relation, given: unknown): string {
  if (!isObject(given)) throw new Unsupported(name)
  if (!relation.isList) {
    if (!relation.isRequired) throw new Unsupported(name)
    return condition(scope.one(name, relation), given)
  }
  const [[quantifier, where] = [], ...others] = Object.entries(given)
  if (others.length > 0 || (quantifier !== 'some' && quantifier !== 'none')) throw new Unsupported(name)
  const other = scope.inner(relation.model)
  const found = [linked(scope, relation, other), condition(other, where as object)]
  const exists = `EXISTS (SELECT FROM ${other.tables()} WHERE ${all(found)})`
  return quantifier === 'some' ? exists : `NOT ${exists}`
}

/** What leads from a table to a relation's. */
export const linked = (scope: Scope, { own, other }: Relation, to: Scope): string =>
  `${to.column(other)} = ${scope.column(own)}`

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Array.isArray(value)
