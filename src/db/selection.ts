// Selections as Prisma has them (`select`), written as one JSON value of SQL, and what makes of it the records that
// Prisma would have read. Lists, since names would be as long as what they name.
import { condition, linked } from './condition.ts'
import { type Column, modelOf, type Relation } from './models.ts'
import { type Scope, Unsupported } from './scope.ts'

export interface Selection {
  readonly select?: Readonly<Record<string, Selection | boolean | undefined>>
  readonly where?: object
  readonly orderBy?: object
}

/** What Prisma would have made of a value. */
type Revive = (value: unknown) => unknown

export interface Written {
  readonly sql: string
  /** Undefined where JSON has the value already. */
  readonly revive: Revive | undefined
}

/** Arguments that a function of PostgreSQL takes. */
const most = 100

/** A record that was read with everything that is selected of it. */
export class Whole {
  [name: string]: unknown
}

export interface WrittenRecord {
  readonly sql: string
  readonly names: readonly string[]
  readonly revive: (values: unknown) => Whole
}

/** `asking` is what the selection was made for. */
type Compute = (row: Scope, asking: never) => string

const computed = new Map<string, Compute>()

/**
 * From now on statements of our own can read of a model's records, as if it were a column, what this expression says:
 * JSON has it as it is.
 */
export function compute(model: string, name: string, sql: Compute): void {
  computed.set(`${modelOf(model).table}.${name}`, sql)
}

/** Throws Unsupported for what it has no words for. */
export function selected(scope: Scope, { select, ...others }: Selection): WrittenRecord {
  if (!select || Object.keys(others).length > 0) throw new Unsupported('include')
  const fields = Object.entries(select).flatMap(([name, given]) => {
    if (!given) return []
    const compute = computed.get(`${scope.model.table}.${name}`)
    if (compute) return { name, sql: compute(scope, scope.asking as never), revive: undefined }
    const field = scope.model.fields.get(name)
    if (!field) throw new Unsupported(name)
    return { name, ...(field.kind === 'column' ? column(scope, field) : related(scope, name, field, given)) }
  })
  if (fields.length > most) throw new Unsupported('so many fields')
  return {
    sql: `json_build_array(${fields.map(({ sql }) => sql).join(', ')})`,
    names: fields.map(({ name }) => name),
    revive(values) {
      const record = new Whole()
      for (let place = 0; place < fields.length; place += 1) {
        const { name, revive } = fields[place] as (typeof fields)[number]
        const value = (values as unknown[])[place]
        record[name] = revive === undefined ? value : revive(value)
      }
      return record
    },
  }
}

const asTheyAre = new Set(['Int', 'String', 'Boolean', 'Float', 'Json'])

function column(scope: Scope, { sql, type, isEnum }: Column): Written {
  const own = scope.column(sql)
  if (isEnum || asTheyAre.has(type)) return { sql: own, revive: undefined }
  if (type !== 'DateTime') throw new Unsupported(type)
  return { sql: own, revive: toDate }
}

/** A wall clock comes without offset, and is read as if it were of UTC. */
const toDate = (text: unknown) =>
  text === null ? null : new Date(/[+-]\d\d:\d\d$/.test(text as string) ? (text as string) : `${text}Z`)

function related(scope: Scope, name: string, relation: Relation, given: Selection | true): Written {
  if (given === true) throw new Unsupported('all columns')
  if (!relation.isList) return one(scope, name, relation, given)
  return isAtMostOne(relation, given) ? perhaps(scope, relation, given) : many(scope, relation, given)
}

function one(scope: Scope, name: string, relation: Relation, given: Selection): Written {
  const other = scope.one(name, relation)
  const { sql, revive } = selected(other, given)
  if (relation.isRequired) return { sql, revive }
  return {
    sql: `CASE WHEN ${other.column(relation.other)} IS NOT NULL THEN ${sql} END`,
    revive: (value) => (value === null ? null : revive(value)),
  }
}

/** Whether `where` gives the rest of the key, and asks for nothing else. */
function isAtMostOne(relation: Relation, { where = {} }: Selection): boolean {
  const { key, fields } = modelOf(relation.model)
  const rest = key.filter((name) => {
    const field = fields.get(name)
    return field?.kind !== 'column' || field.sql !== relation.other
  })
  const given = Object.entries(where)
  return (
    rest.length === key.length - 1 &&
    given.length === rest.length &&
    given.every(([name, value]) => rest.includes(name) && typeof value === 'string')
  )
}

function perhaps(scope: Scope, relation: Relation, { where = {}, orderBy: _, ...rest }: Selection): Written {
  const other = scope.perhaps(relation, (table) => condition(table, where))
  const { sql, revive } = selected(other, rest)
  return {
    sql: `CASE WHEN ${other.column(relation.other)} IS NOT NULL THEN ${sql} END`,
    revive: (value) => (value === null ? [] : [revive(value)]),
  }
}

function many(scope: Scope, relation: Relation, { where = {}, orderBy, ...rest }: Selection): Written {
  const other = scope.inner(relation.model)
  const { sql, revive } = selected(other, rest)
  const found = `${linked(scope, relation, other)} AND ${condition(other, where)}`
  const order = orderBy ? ` ORDER BY ${ordered(other, orderBy)}` : ''
  return {
    sql: `(SELECT json_agg(${sql}${order}) FROM ${other.tables()} WHERE ${found})`,
    revive: (values) => (values === null ? [] : (values as unknown[]).map(revive)),
  }
}

/** Columns of the table itself, as Prisma names them in `orderBy`. */
export function ordered(scope: Scope, given: object): string {
  const keys = (Array.isArray(given) ? given : [given]) as object[]
  const parts = keys.flatMap((key) =>
    Object.entries(key).map(([name, direction]) => {
      const field = scope.model.fields.get(name)
      if (field?.kind !== 'column' || (direction !== 'asc' && direction !== 'desc')) throw new Unsupported('orderBy')
      return `${scope.column(field.sql)} ${direction}`
    }),
  )
  return parts.join(', ')
}
