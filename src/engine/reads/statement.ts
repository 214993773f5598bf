// Compiles Prisma's arguments to SQL statements with bound values, and decodes their rows.

import { memoize, memoizeByObject } from '../../basics/memoize.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { type Model, modelOf } from '../postgres/data-model.ts'
import { PreloadedRecord } from '../postgres/preloaded-record.ts'
import { queryRows } from '../postgres/query.ts'
import type { BooleanColumns, ListsOfParents, MatchingOptions, PageOptions } from '../postgres/record-reads.ts'
import { isSelectionAt, type SelectionTemplate } from '../postgres/selection-template.ts'
import { lazyRecordClass, type Row } from './lazy-record.ts'
import { orderBySql } from './order-by.ts'
import { type SelectedReads, type Selection, selectedFields, selectJson } from './select.ts'
import { type OtherReads, Table } from './table.ts'
import { UnsupportedError } from './unsupported.ts'
import { whereSql } from './where.ts'

const { sql, raw, join, empty } = Prisma

/** An SQL statement with its values, and how to decode its rows. */
export interface CompiledStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether one plan serves all values, so that the statement is prepared. */
  readonly usesGenericPlan: boolean
  readonly decode: (row: Row) => object
  readonly reads: SelectedReads
}

export interface FindArgs extends Selection {
  readonly where?: object | undefined
  readonly orderBy?: unknown
  readonly skip?: number | undefined
  readonly take?: number | undefined
}

export type PageArgs = FindArgs & PageOptions & { readonly forEach?: ListsOfParents }

/** A selection of columns of the table `t0`, compiled once. */
interface CompiledSelection {
  readonly number: number
  /** SQL of the columns, with the placeholders `$1` to `$n` for the values. */
  readonly columns: string
  readonly joins: string
  readonly values: readonly unknown[]
  readonly hasRelations: boolean
  readonly decode: (row: Row) => object
  readonly reads: SelectedReads
}

/** The tables of the selection are t0, t1, …; aliases in the rest of the statement start from this number. */
const firstFreeAlias = 1000

let selections = 0

function compileSelection(
  model: Model,
  selection: Selection,
  template: SelectionTemplate | undefined,
): CompiledSelection {
  const table = Table.create(model.name, { opaqueParams: true })
  const record = selectJson(table, selection, template ? () => new PreloadedRecord() : () => ({}))
  const hasId = model.key.length === 1 && model.key[0] === 'id'
  const columns = sql`${hasId ? sql`${table.column('"id"')} AS id, ` : empty}${record.sql}::text AS record`
  const joins = table.joins()
  // Refuses Dates other than the placeholder, because later operations would reuse them.
  if (template && columns.values.some((value) => value instanceof Date && value !== template.placeholder)) {
    throw new UnsupportedError('a time other than that of the operation')
  }
  selections += 1
  const number = selections
  const LazyRecord = lazyRecordClass(record, number)
  const decode = template
    ? (row: Row): PreloadedRecord => new LazyRecord(row)
    : (row: Row) => record.decode(JSON.parse(row.record))
  return {
    number,
    columns: textOf(columns, 0),
    joins: textOf(joins, columns.values.length),
    values: [...columns.values, ...joins.values],
    hasRelations: record.names.some((name) => model.fields.get(name)?.kind !== 'column'),
    decode,
    reads: { others: [table.reads], collectLinks: record.collectLinks },
  }
}

/** Returns the SQL text with placeholders `$n` that are numbered from `offset` + 1. */
function textOf({ strings, values }: Prisma.Sql, offset: number): string {
  let text = strings[0] ?? ''
  for (let index = 0; index < values.length; index += 1) text += `$${offset + index + 1}${strings[index + 1]}`
  return text
}

/** Returns the compiled selections of an object by model, because several models can share a selection object. */
const compiledSelections = memoizeByObject((_selection: object) =>
  memoize({ name: 'compiledSelections', max: 10 }, (_model: string, compile: () => CompiledSelection) => compile()),
)

/** Returns a selection of all columns of a model, always the same object for a model. */
const allColumns = memoize({ name: 'allColumns', max: 100 }, (model: string) => selectedFields(modelOf(model), {}))

/** Returns the compiled selection of a read, and its values at the time of the operation. */
function compileSelectionOfRead(model: Model, args: FindArgs) {
  const { select } = args
  if (isSelectionAt(select)) {
    const { template, now } = select
    const compiled = compiledSelections(template)(model.name, () =>
      compileSelection(model, { select: template.select }, template),
    )
    return { compiled, values: compiled.values.map((value) => (value === template.placeholder ? now : value)) }
  }
  const selected = select ?? allColumns(model.name)
  const compiled = compiledSelections(selected)(model.name, () =>
    compileSelection(model, { select: selected }, undefined),
  )
  return { compiled, values: compiled.values }
}

interface RowSource {
  /** The FROM clause, in which the rows have the alias t0. */
  readonly from: Prisma.Sql
  readonly where?: Prisma.Sql
  /** ORDER BY of the rows in t0. */
  readonly orderBy?: string | undefined
  readonly usesGenericPlan: boolean
  /** What `from` and `where` read. */
  readonly reads?: OtherReads | undefined
}

/** Returns the same string object for equal texts, so that V8 hashes a text of 10 KB, which takes 60 microseconds, only once. */
const statementTexts = memoize(
  { name: 'statementTexts', maxSize: 4_000_000, sizeOf: (text: string) => text.length },
  (_key: string, build: () => string) => build(),
)

function buildStatement(
  { compiled, values }: ReturnType<typeof compileSelectionOfRead>,
  { from, where, orderBy, usesGenericPlan, reads }: RowSource,
): CompiledStatement {
  const fromText = textOf(from, values.length)
  const whereText = where ? textOf(where, values.length + from.values.length) : ''
  const condition = whereText === '' ? '' : ` WHERE ${whereText}`
  const order = orderBy ? ` ORDER BY ${orderBy}` : ''
  const key = `${compiled.number} ${fromText} ${condition}${order}`
  const text = statementTexts(
    key,
    () => `SELECT ${compiled.columns} FROM ${fromText}${compiled.joins}${condition}${order}`,
  )
  return {
    text,
    values: [...values, ...from.values, ...(where?.values ?? [])],
    usesGenericPlan,
    decode: compiled.decode,
    reads: reads ? { ...compiled.reads, others: [...compiled.reads.others, reads] } : compiled.reads,
  }
}

/** Compiles a statement that reads the first record that matches. */
export const compileFindFirst = (modelName: string, args: FindArgs): CompiledStatement =>
  compileFindMany(modelName, { ...args, take: 1 }, true)

/**
 * Whether to find all matches by the index before the page is taken, instead of comparing records in their order until the page is
 * full. A search whose matches are not listed by ID has more than 1000: the 250th of them may come after a quarter of all records.
 */
const isFarDown = ({ skip = 0 }: FindArgs): boolean => skip >= 250

/** Compiles a statement that reads all records of a page. */
export function compileFindMany(modelName: string, args: FindArgs, usesGenericPlan = false): CompiledStatement {
  checkArgs(args)
  const model = modelOf(modelName)
  const selection = compileSelectionOfRead(model, args)
  const table = Table.create(modelName, {
    opaqueParams: usesGenericPlan,
    readsMost: isFarDown(args),
    firstAlias: firstFreeAlias,
  })
  return buildStatement(selection, {
    from: sql`(${pageSql(table, args, raw(`${table.alias}.*`))}) AS t0`,
    orderBy: orderOfPageSql(model, args.orderBy),
    usesGenericPlan,
    reads: table.reads,
  })
}

/**
 * Whether to find the IDs by a statement that is planned for its values, and then read the records by a prepared statement. The
 * best plan of a filter depends on its values, but planning the joins of a selection takes longer than running them.
 */
export function readsInTwoSteps(modelName: string, args: FindArgs): boolean {
  const model = modelOf(modelName)
  checkArgs(args)
  if (model.key.length !== 1 || model.key[0] !== 'id') return false
  return compileSelectionOfRead(model, args).compiled.hasRelations
}

/** Compiles a statement that reads the IDs of a page and, if `counted` is set, the number of records matching this filter. */
export function compileFindIds(modelName: string, args: FindArgs, counted: object | undefined) {
  const table = Table.create(modelName, { opaqueParams: false, readsMost: isFarDown(args) })
  const ids = sql`ARRAY(${pageSql(table, args, table.column('"id"'))}) AS ids`
  if (!counted) return toTextAndValues(sql`SELECT ${ids}`)
  const total = Table.create(modelName, { opaqueParams: false, readsMost: true, firstAlias: firstFreeAlias })
  const condition = whereSql(total, counted)
  return toTextAndValues(sql`SELECT ${ids}, (SELECT count(*)::int FROM ${total.from()} WHERE ${condition}) AS total`)
}

export const toTextAndValues = (statement: Prisma.Sql) => ({ text: textOf(statement, 0), values: statement.values })

/** Runs a statement that reads records, and returns its rows. */
export const readRows = (client: object, { text, values, usesGenericPlan }: CompiledStatement): Promise<Row[]> =>
  queryRows<Row>(client, { text, values, prepared: usesGenericPlan ? 'record' : undefined })

/** Returns a function that compiles statements which read records by ID, in any order. */
export function compileFindByIds(modelName: string, args: FindArgs): (ids: readonly unknown[]) => CompiledStatement {
  const model = modelOf(modelName)
  const selection = compileSelectionOfRead(model, args)
  const id = model.fields.get('id')
  if (id?.kind !== 'column') throw new UnsupportedError(`${modelName} has no ID`)
  const from = raw(`${model.table} t0`)
  const type = raw(id.native)
  return (ids) => {
    const where = sql`t0."id" = ANY(ARRAY(SELECT unnest(${ids}::${type}[])))`
    return buildStatement(selection, { from, where, usesGenericPlan: true })
  }
}

const knownArgs = new Set(['select', 'where', 'orderBy', 'skip', 'take'])

/** Throws Unsupported for arguments that the read engine does not support. */
export function checkArgs(args: object): void {
  const unknown = Object.entries(args).find(([name, value]) => value !== undefined && !knownArgs.has(name))
  if (unknown) throw new UnsupportedError(unknown[0])
}

export function pageSql(table: Table, { where = {}, orderBy, skip, take }: FindArgs, columns: Prisma.Sql): Prisma.Sql {
  if ((take !== undefined && take < 0) || (skip !== undefined && skip < 0)) throw new UnsupportedError('take')
  const condition = whereSql(table, where)
  const order = orderBySql(table, orderBy)
  const by = order ? sql` ORDER BY ${order}` : empty
  const offset = skip ? sql` OFFSET ${table.param(skip, 'bigint')}` : empty
  // A literal 1 tells the planner that the statement returns one row, also in a generic plan.
  const limit = take === undefined ? empty : sql` LIMIT ${take === 1 ? raw('1') : table.param(take, 'bigint')}`
  return sql`SELECT ${columns} FROM ${table.from()} WHERE ${condition}${by}${limit}${offset}`
}

/** Returns the ORDER BY of the records of a page, because joining the page with other tables may change the order. */
function orderOfPageSql(model: Model, orderBy: unknown): string | undefined {
  if (orderBy === undefined) return undefined
  const keys = Array.isArray(orderBy) ? orderBy : [orderBy]
  const isOwn = keys.every((key) =>
    Object.keys((key ?? {}) as object).every((name) => model.fields.get(name)?.kind === 'column'),
  )
  if (!isOwn) throw new UnsupportedError('orderBy: a relation')
  const table = Table.create(model.name, { opaqueParams: false })
  return orderBySql(table, orderBy)?.text
}

export function compileCount(modelName: string, where: object = {}) {
  const table = Table.create(modelName, { opaqueParams: false, readsMost: true })
  const condition = whereSql(table, where)
  return toTextAndValues(sql`SELECT count(*)::int AS count FROM ${table.from()} WHERE ${condition}`)
}

/** Compiles a SELECT of all columns of the records that match, and one boolean column per condition in `booleanColumns`. */
export function compileMatchingRows(
  modelName: string,
  where: object,
  booleanColumns: BooleanColumns = {},
  { stopsEarly = false, usesGenericPlan = false }: MatchingOptions = {},
): Prisma.Sql {
  const table = Table.create(modelName, { opaqueParams: usesGenericPlan, readsMost: !stopsEarly })
  const conditions = Object.entries(booleanColumns).map(
    ([name, where]) => sql`, (${whereSql(table, where)}) IS TRUE AS ${raw(`"${name}"`)}`,
  )
  const condition = whereSql(table, where)
  const columns = sql`${raw(`${table.alias}.*`)}${conditions.length > 0 ? join(conditions, '') : empty}`
  return sql`SELECT ${columns} FROM ${table.from()} WHERE ${condition}`
}
