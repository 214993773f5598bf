// A table of a statement, and the tables joined to it.
import { Prisma } from '../../generated/prisma/client.ts'
import { type Model, modelOf, type Relation } from '../postgres/data-model.ts'

const { sql, raw, join, empty } = Prisma

export interface StatementOptions {
  /** Hides values from the planner, which forces a generic plan: one plan for all values. */
  readonly opaqueParams: boolean
  /** Whether it compares most rows of the table. Otherwise it may stop after a few. */
  readonly readsMost?: boolean
  /** Number of the first alias. Parts of a statement that are compiled separately need different aliases. */
  readonly firstAlias?: number
}

/** State that all tables of a statement share. */
class Statement {
  readonly opaqueParams: boolean
  readonly readsMost: boolean
  #nextAlias: number

  constructor({ opaqueParams, readsMost = false, firstAlias = 0 }: StatementOptions) {
    this.opaqueParams = opaqueParams
    this.readsMost = readsMost
    this.#nextAlias = firstAlias
  }

  alias(): string {
    const alias = `t${this.#nextAlias}`
    this.#nextAlias += 1
    return alias
  }
}

/** A join that is added only if a column other than the key is read: the foreign key has the same value. */
interface PendingJoin {
  readonly join: Prisma.Sql
  /** Columns of the other table that equal columns of this one. */
  readonly columnsOfForeignKey: ReadonlyMap<string, Prisma.Sql>
  isWritten: boolean
}

export class Table {
  readonly model: Model
  readonly alias: string
  readonly #statement: Statement
  readonly #joins: Prisma.Sql[]
  readonly #joined = new Map<string, Table>()
  #pending: PendingJoin | undefined
  /** Whether it is left-joined, so that there may be no row. */
  #isNullable = false

  private constructor(model: string, statement: Statement, joins: Prisma.Sql[]) {
    this.model = modelOf(model)
    this.#statement = statement
    this.#joins = joins
    this.alias = statement.alias()
  }

  static create(model: string, options: StatementOptions): Table {
    return new Table(model, new Statement(options), [])
  }

  get readsMost(): boolean {
    return this.#statement.readsMost
  }

  /** A column by its quoted name. */
  column(name: string): Prisma.Sql {
    if (this.#pending) {
      const foreignKeyColumn = this.#pending.columnsOfForeignKey.get(name)
      if (foreignKeyColumn) return foreignKeyColumn
      if (!this.#pending.isWritten) this.#joins.push(this.#pending.join)
      this.#pending.isWritten = true
    }
    return raw(`${this.alias}.${name}`)
  }

  /** A bound value of this PostgreSQL type. */
  param(value: unknown, type: string): Prisma.Sql {
    const param = sql`${value}::${raw(type)}`
    if (!this.#statement.opaqueParams) return param
    return type.endsWith('[]') ? sql`ARRAY(SELECT unnest(${param}))` : sql`(SELECT ${param})`
  }

  /** The table and its joins, for FROM. Call it after all columns are read, because they determine the joins. */
  from(): Prisma.Sql {
    return sql`${raw(`${this.model.table} ${this.alias}`)}${this.joins()}`
  }

  joins(): Prisma.Sql {
    return this.#joins.length === 0 ? empty : sql` ${join(this.#joins, ' ')}`
  }

  /** A table for a subquery of the same statement. */
  subquery(model: string): Table {
    return new Table(model, this.#statement, [])
  }

  /** The table of a to-one relation. Repeated calls return the same join. */
  join(relation: Relation): Table {
    const existing = this.#joined.get(relation.name)
    if (existing) return existing
    const other = new Table(relation.model, this.#statement, this.#joins)
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

  /** Joins at most one row of a to-many relation: `condition` sets the rest of its primary key. */
  leftJoin(relation: Relation, condition: (other: Table) => Prisma.Sql): Table {
    const other = new Table(relation.model, this.#statement, this.#joins)
    other.#isNullable = true
    const on = sql`${this.link(relation, other)} AND ${condition(other)}`
    this.#joins.push(sql`LEFT JOIN ${raw(`${other.model.table} ${other.alias}`)} ON ${on}`)
    return other
  }

  /** The join condition between this table and the table of the relation. */
  link({ on }: Relation, other: Table): Prisma.Sql {
    return join(
      on.map(({ from, to }) => sql`${other.column(to)} = ${this.column(from)}`),
      ' AND ',
    )
  }
}
