// A table in an SQL statement that is being compiled, and the tables joined to this table.
import { Prisma } from '../../generated/prisma/client.ts'
import { type Model, modelOf, type Relation, type SharedRows } from '../postgres/data-model.ts'
import type { CachedKind } from './read-record.ts'
import { tableKind } from './statement-kinds.ts'

const { sql, raw, join, empty } = Prisma

/** Options of the compilation of a statement. */
export interface StatementOptions {
  /** Hides values from the planner, which forces a generic plan: one plan for all values. */
  readonly opaqueParams: boolean
  /** Whether the statement compares most rows of the table. Otherwise it may stop after a few rows. */
  readonly readsMost?: boolean
  /** Number of the first alias. Parts of a statement that are compiled separately need different aliases. */
  readonly firstAlias?: number
}

/** What a statement reads in addition to the records that it selects by ID. */
export interface OtherReads {
  /** Kinds of which any record may change the result. */
  readonly kinds: Set<CachedKind>
  /** Kinds of linked records of which only the shown ones, and those that are hidden now, may change the result. */
  readonly linked: Set<CachedKind>
}

/** The record that a row belongs to, by the kind of its table. */
interface Owner {
  readonly kind: CachedKind | undefined
  /** Whether a foreign key leads to this record. */
  readonly isLinked: boolean
}

/** Columns that decide whether a linked record is visible. Their changes are notified for the whole kind, without IDs. */
const visibilityColumns = new Set(['id', 'live', 'status', 'publishedAt', 'passwordKey'])
const hidden = new Set<CachedKind | undefined>(['venue', 'organizer'])

/** What all tables of a statement share. */
interface Statement extends Pick<StatementOptions, 'opaqueParams' | 'readsMost'> {
  readonly reads: OtherReads
  /** Number of the next alias. */
  next: number
}

/** A join that is added only if a column other than the key is read: the foreign key has the same value. */
interface PendingJoin {
  readonly join: Prisma.Sql
  /** Columns of this table by the columns of the other table that they equal. */
  readonly columnsOfForeignKey: ReadonlyMap<string, Prisma.Sql>
  isWritten: boolean
}

/** A table of a statement. Collects its joins, and what conditions on it read. */
export class Table {
  readonly model: Model
  readonly alias: string
  readonly #statement: Statement
  readonly #joins: Prisma.Sql[]
  readonly #joined = new Map<string, Table>()
  readonly #owner: Owner
  #pending: PendingJoin | undefined
  /** Whether the table is left-joined, so that it may have no row. */
  #isNullable = false
  #isByKey = false
  /** If the rows are read from the table beneath the view of the model: that table, and the record that shares them. */
  #shared: { readonly rows: SharedRows; readonly sharer: Table } | undefined

  private constructor(model: string, statement: Statement, joins: Prisma.Sql[], owner?: Owner) {
    this.model = modelOf(model)
    this.#owner = owner ?? { kind: kindOf(this.model)?.kind, isLinked: false }
    this.#statement = statement
    this.#joins = joins
    this.alias = `t${statement.next}`
    statement.next += 1
  }

  static create(model: string, { firstAlias = 0, ...options }: StatementOptions): Table {
    return new Table(model, { ...options, reads: { kinds: new Set(), linked: new Set() }, next: firstAlias }, [])
  }

  get readsMost(): boolean {
    return this.#statement.readsMost === true
  }

  get reads(): OtherReads {
    return this.#statement.reads
  }

  /** Kind of the record of this row, if a foreign key of another record leads to it; undefined otherwise. */
  get linkedKind(): CachedKind | undefined {
    return this.#owner.isLinked ? this.#owner.kind : undefined
  }

  /** Records that a condition on this column decides which records are found. */
  addCondition(column: string): void {
    const { kind, isLinked } = this.#owner
    const isCovered = this.#isByKey || (hidden.has(kind) && visibilityColumns.has(column))
    if (kind && isLinked && !isCovered) this.reads.kinds.add(kind)
  }

  /** Runs `build`, whose conditions only decide whether to show records that are read by ID. */
  byKey<Built>(build: () => Built): Built {
    this.#isByKey = true
    try {
      return build()
    } finally {
      this.#isByKey = false
    }
  }

  /** Records that the statement returns only some of the matching rows. */
  addLimit(): void {
    if (this.#owner.kind) this.reads.kinds.add(this.#owner.kind)
  }

  #ownerOf(relation: Relation): Owner {
    const [from, to] = [kindOf(this.model), kindOf(modelOf(relation.model))]
    const isWithin = (id: string | undefined, otherId: string | undefined) =>
      relation.on.some((pair) => pair.from === `"${id}"` && pair.to === `"${otherId}"`)
    if (from && from.kind === to?.kind && isWithin(from.column, to.column)) return this.#owner
    const isLinked = relation.holdsForeignKey && relation.on.every((pair) => pair.to === `"${to?.column}"`)
    if (to) this.reads[isLinked ? 'linked' : 'kinds'].add(to.kind)
    return { kind: to?.kind, isLinked }
  }

  /** Returns the SQL of a column with this quoted name. */
  column(name: string): Prisma.Sql {
    if (this.#shared?.rows.recordId === name) return this.#shared.sharer.column('"id"')
    if (this.#pending) {
      const foreignKeyColumn = this.#pending.columnsOfForeignKey.get(name)
      if (foreignKeyColumn) return foreignKeyColumn
      if (!this.#pending.isWritten) this.#joins.push(this.#pending.join)
      this.#pending.isWritten = true
    }
    return raw(`${this.alias}.${name}`)
  }

  /** Returns a placeholder for a bound value of this PostgreSQL type. */
  param(value: unknown, type: string): Prisma.Sql {
    const param = sql`${value}::${raw(type)}`
    if (!this.#statement.opaqueParams) return param
    return type.endsWith('[]') ? sql`ARRAY(SELECT unnest(${param}))` : sql`(SELECT ${param})`
  }

  /** Returns the FROM clause with all joins. Call `from` after `column`, because the used columns determine the joins. */
  from(): Prisma.Sql {
    return sql`${raw(`${this.#name} ${this.alias}`)}${this.joins()}`
  }

  /** Name of the table: a view that has rows for each record that shares them is as slow as a join with the table of the records. */
  get #name(): string {
    return this.#shared?.rows.table ?? this.model.table
  }

  joins(): Prisma.Sql {
    return this.#joins.length === 0 ? empty : sql` ${join(this.#joins, ' ')}`
  }

  /** Returns the table of a model for a subquery of the same statement. */
  subquery(model: string): Table {
    return new Table(model, this.#statement, [])
  }

  /** Returns the table of a relation for a subquery. */
  related(relation: Relation): Table {
    return this.#share(relation, new Table(relation.model, this.#statement, [], this.#ownerOf(relation)))
  }

  /** Joins the table of a to-one relation. Repeated calls return the same table. */
  join(relation: Relation): Table {
    const existing = this.#joined.get(relation.name)
    if (existing) return existing
    const other = new Table(relation.model, this.#statement, this.#joins, this.#ownerOf(relation))
    other.#isNullable = this.#isNullable || !relation.isRequired
    const columnsOfForeignKey = new Map(relation.on.map(({ from, to }) => [to, this.column(from)]))
    const on = join(
      [...columnsOfForeignKey].map(([to, from]) => sql`${raw(`${other.alias}.${to}`)} = ${from}`),
      ' AND ',
    )
    const kind = raw(other.#isNullable ? 'LEFT JOIN' : 'JOIN')
    other.#pending = {
      join: sql`${kind} ${raw(`${other.model.table} ${other.alias}`)} ON ${on}`,
      columnsOfForeignKey,
      isWritten: false,
    }
    this.#joined.set(relation.name, other)
    return other
  }

  /** Left-joins at most one row of a to-many relation. `condition` must set the rest of the primary key. */
  leftJoin(relation: Relation, condition: (other: Table) => Prisma.Sql): Table {
    const other = this.#share(
      relation,
      new Table(relation.model, this.#statement, this.#joins, this.#ownerOf(relation)),
    )
    other.#isNullable = true
    const on = sql`${this.link(relation, other)} AND ${condition(other)}`
    this.#joins.push(sql`LEFT JOIN ${raw(`${other.#name} ${other.alias}`)} ON ${on}`)
    return other
  }

  /** Reads the rows of a relation to a view from the table beneath it, if the view has them for each record of this table. */
  #share({ on }: Relation, other: Table): Table {
    const rows = other.model.sharedRows
    const [pair] = on
    if (rows && pair?.from === '"id"' && pair.to === rows.recordId) other.#shared = { rows, sharer: this }
    return other
  }

  get #sharedId(): Prisma.Sql {
    return raw(`${this.alias}.${this.#shared?.rows.id}`)
  }

  /** Returns the condition that a left-joined row of the relation exists. */
  exists({ on }: Relation): Prisma.Sql {
    const keys = this.#shared ? [this.#sharedId] : on.map(({ to }) => this.column(to))
    return join(
      keys.map((key) => sql`${key} IS NOT NULL`),
      ' AND ',
    )
  }

  /** Returns the join condition between this table and the table of the relation. */
  link({ on }: Relation, other: Table): Prisma.Sql {
    if (other.#shared) return sql`${other.#sharedId} = ${this.column(other.#shared.rows.id)}`
    return join(
      on.map(({ from, to }) => sql`${other.column(to)} = ${this.column(from)}`),
      ' AND ',
    )
  }
}

const kindOf = (model: Model) => tableKind(model.table.slice(1, -1))
