// Compiles Prisma's `select` to an SQL expression that returns one JSON value, and decodes this JSON to the records that Prisma
// would return. The JSON has arrays instead of objects, because names would take as much space as the values.

import { Prisma } from '../../generated/prisma/client.ts'
import { type Column, type Model, modelOf, type Relation } from '../postgres/data-model.ts'
import { orderBySql } from './order-by.ts'
import type { CachedKind } from './read-record.ts'
import type { OtherReads, Table } from './table.ts'
import { UnsupportedError } from './unsupported.ts'
import { andSql, whereSql } from './where.ts'

const { sql, raw, join } = Prisma

export interface Selection {
  readonly select?: Readonly<Record<string, unknown>> | null | undefined
}

interface RelationArgs extends Selection {
  readonly where?: object
  readonly orderBy?: unknown
  readonly take?: number
  readonly skip?: number
}

type Decode = (value: unknown) => unknown

/** Calls `add` with the kind and ID of each linked record. `value` is parsed JSON that was not decoded. */
type CollectLinks = (value: unknown, add: (kind: CachedKind, id: number) => void) => void

/** The linked records and kinds that a selection reads in addition to the selected records. */
export interface SelectedReads {
  readonly others: readonly OtherReads[]
  readonly collectLinks: CollectLinks | undefined
}

interface JsonValue {
  readonly sql: Prisma.Sql
  /** Converts the JSON value to Prisma's value; undefined if both are equal. */
  readonly decode: Decode | undefined
  /** Reports the kinds and IDs of the linked records in the value. */
  readonly collectLinks?: CollectLinks | undefined
  /** The foreign key of a linked record. */
  readonly link?: Link
}

interface Link {
  readonly kind: CachedKind
  readonly id: Prisma.Sql
}

/** The SQL of a selection, and how to decode its JSON. */
export interface JsonRecord {
  readonly sql: Prisma.Sql
  readonly names: readonly string[]
  readonly decode: (values: unknown) => Record<string, unknown>
  readonly collectLinks: CollectLinks | undefined
}

/** Creates an empty record: a plain object or a PreloadedRecord. */
type NewRecord = () => Record<string, unknown>

/** Compiles a selection. Throws Unsupported for selections that the read engine does not support. */
export function selectJson(table: Table, selection: Selection, newRecord: NewRecord): JsonRecord {
  const fields = Object.entries(selectedFields(table.model, selection)).flatMap(([name, args]) =>
    args === undefined || args === false ? [] : [{ name, ...fieldJson(table, name, args, newRecord) }],
  )
  const names = fields.map(({ name }) => name)
  const decoders = fields.map(({ decode }) => decode)
  // Foreign keys come after the fields in the JSON array. Only `collectLinks` reads them.
  const links = fields.flatMap(({ link }) => link ?? [])
  const columns = [...fields.map((field) => field.sql), ...links.map(({ id }) => id)]
  const decode = (parsed: unknown) => {
    const values = parsed as unknown[]
    const record = newRecord()
    for (const [index, name] of names.entries()) {
      const decodeField = decoders[index]
      record[name] = decodeField ? decodeField(values[index]) : values[index]
    }
    return record
  }
  return {
    // Models have fewer columns and relations than the 100 arguments that a function of PostgreSQL can take.
    sql: columns.length === 0 ? raw('json_build_array()') : sql`json_build_array(${join(columns, ', ')})`,
    names,
    decode,
    collectLinks:
      links.length === 0 && fields.every(({ collectLinks }) => collectLinks === undefined)
        ? undefined
        : (parsed, add) => {
            const values = parsed as unknown[]
            for (const [index, { collectLinks }] of fields.entries()) collectLinks?.(values[index], add)
            for (const [index, { kind }] of links.entries()) {
              const id = values[names.length + index]
              if (typeof id === 'number') add(kind, id)
            }
          },
  }
}

/** Returns the fields that Prisma selects: `select`, or all columns. */
export const selectedFields = (model: Model, { select }: Selection): Readonly<Record<string, unknown>> =>
  select ?? Object.fromEntries(model.columns.map(({ name }) => [name, true]))

function fieldJson(table: Table, name: string, args: unknown, newRecord: NewRecord): JsonValue {
  const field = table.model.fields.get(name)
  if (!field) throw new UnsupportedError(`select: ${name}`)
  if (field.kind === 'column') return columnJson(table, field)
  const relationArgs = args === true ? {} : (args as RelationArgs)
  if (!field.isList) return toOneJson(table, field, relationArgs, newRecord)
  if (isAtMostOneRow(field, relationArgs)) return atMostOneJson(table, field, relationArgs, newRecord)
  return toManyJson(table, field, relationArgs, newRecord)
}

function columnJson(table: Table, { sql: name, type, native, isEnum, isList }: Column): JsonValue {
  const own = table.column(name)
  const decoded = (value: Prisma.Sql, decode: (text: string) => unknown): JsonValue => ({
    sql: value,
    decode: (text) => (text === null ? null : decode(text as string)),
  })
  if (isEnum || plainTypes.has(type)) return { sql: own, decode: undefined }
  if (type === 'Decimal' && !isList) return decoded(sql`${own}::text`, (text) => new Prisma.Decimal(text))
  // A value of type `time` has no date, so JavaScript cannot parse it.
  if (isList || type !== 'DateTime' || /^time(?!stamp)/.test(native)) throw new UnsupportedError(`${type} ${native}`)
  const hasZone = native.startsWith('timestamptz') || native === 'date'
  // A timestamp without time zone is read as UTC, as Prisma does.
  return decoded(own, (text) => new Date(hasZone ? text : `${text}Z`))
}

/** Types whose values in JSON are those that Prisma returns. */
const plainTypes = new Set(['Int', 'String', 'Boolean', 'Json', 'Float'])

const knownNames = new Set(['where', 'orderBy', 'take', 'skip', 'select'])

function knownArgs({ where = {}, ...args }: RelationArgs) {
  const unknown = Object.entries(args).find(([name, value]) => value !== undefined && !knownNames.has(name))
  if (unknown || (args.take ?? 0) < 0) throw new UnsupportedError(`select: ${unknown?.[0] ?? 'take'}`)
  return { ...args, where }
}

function toOneJson(table: Table, relation: Relation, args: RelationArgs, newRecord: NewRecord): JsonValue {
  const { where } = knownArgs(args)
  if (!relation.holdsForeignKey) throw new UnsupportedError(`select: ${relation.name}`)
  const other = table.join(relation)
  const record = selectJson(other, args, newRecord)
  const condition = other.byKey(() => whereSql(other, where))
  const [key] = relation.on
  const link = other.linkedKind && key && { kind: other.linkedKind, id: table.column(key.from) }
  if (relation.isRequired && Object.keys(where).length === 0) return { ...record, ...(link && { link }) }
  // The key of the left-joined table is null if no row matches.
  const value = sql`CASE WHEN ${andSql([other.exists(relation), condition])} THEN ${record.sql} END`
  return { ...optional(value, record), ...(link && { link }) }
}

const optional = (value: Prisma.Sql, { decode, collectLinks }: JsonRecord): JsonValue => ({
  sql: value,
  decode: (values) => (values === null ? null : decode(values)),
  collectLinks: collectLinks && ((values, add) => values !== null && collectLinks(values, add)),
})

/** Whether `where` sets exactly the rest of the primary key, so that the relation has at most one row. */
function isAtMostOneRow(relation: Relation, { where = {}, take, skip }: RelationArgs): boolean {
  const { key, fields } = modelOf(relation.model)
  const rest = key.filter((name) => {
    const field = fields.get(name)
    return field?.kind !== 'column' || !relation.on.some(({ to }) => to === field.sql)
  })
  const conditions = Object.entries(where)
  return (
    take === undefined &&
    skip === undefined &&
    rest.length < key.length &&
    conditions.length === rest.length &&
    conditions.every(([name, value]) => rest.includes(name) && (typeof value === 'string' || typeof value === 'number'))
  )
}

function atMostOneJson(table: Table, relation: Relation, args: RelationArgs, newRecord: NewRecord): JsonValue {
  const { where } = knownArgs(args)
  const other = table.leftJoin(relation, (joined) => joined.byKey(() => whereSql(joined, where)))
  const record = selectJson(other, args, newRecord)
  return {
    sql: sql`CASE WHEN ${other.exists(relation)} THEN ${record.sql} END`,
    decode: (values) => (values === null ? [] : [record.decode(values)]),
    collectLinks: optional(record.sql, record).collectLinks,
  }
}

function toManyJson(table: Table, relation: Relation, args: RelationArgs, newRecord: NewRecord): JsonValue {
  const { where, orderBy, take, skip } = knownArgs(args)
  const other = table.related(relation)
  const record = selectJson(other, args, newRecord)
  const condition = andSql([table.link(relation, other), other.byKey(() => whereSql(other, where))])
  const order = orderBySql(other, orderBy)
  const by = order ? sql` ORDER BY ${order}` : Prisma.empty
  const decode = (values: unknown) => (values === null ? [] : (values as unknown[]).map(record.decode))
  const { collectLinks } = record
  const collectAll: CollectLinks | undefined =
    collectLinks &&
    ((values, add) => {
      for (const each of (values ?? []) as unknown[]) collectLinks(each, add)
    })
  const rest = { decode, collectLinks: collectAll }
  if (take === undefined && skip === undefined) {
    return { sql: sql`(SELECT json_agg(${record.sql}${by}) FROM ${other.from()} WHERE ${condition})`, ...rest }
  }
  other.addLimit()
  const limit = take === undefined ? Prisma.empty : sql` LIMIT ${other.param(take, 'bigint')}`
  const offset = skip === undefined ? Prisma.empty : sql` OFFSET ${other.param(skip, 'bigint')}`
  const rows = sql`SELECT ${record.sql} AS record FROM ${other.from()} WHERE ${condition}${by}${limit}${offset}`
  return { sql: sql`(SELECT json_agg(record) FROM (${rows}) AS ${raw(`${other.alias}_page`)})`, ...rest }
}
