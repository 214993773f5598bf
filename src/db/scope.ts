// A table in a statement of our own, and the tables that are joined to it.
import { type Model, modelOf, type Relation } from './models.ts'

/** What Prisma can say and these statements can't: Prisma answers it. */
export class Unsupported extends Error {}

/** The values of a statement, each of them once. */
export class Values {
  readonly all: unknown[]
  readonly #isPlanned: boolean
  readonly #places = new Map<string, Map<unknown, number>>()

  /**
   * After those of another part of the statement. If one plan is to serve all values they are kept from the planner: it
   * would hold what it makes of some to be better than what it makes of any, and plan each time.
   */
  constructor(isPlanned: boolean, before: readonly unknown[] = []) {
    this.#isPlanned = isPlanned
    this.all = [...before]
  }

  /** What stands for the value in the statement. */
  add(value: unknown, type: string): string {
    const places = this.#places.get(type) ?? new Map<unknown, number>()
    this.#places.set(type, places)
    const place = places.get(value) ?? this.all.push(value)
    places.set(value, place)
    return this.#isPlanned ? hidden(place, type) : `$${place}::${type}`
  }
}

/** The value at this place of a statement, kept from the planner. */
export const hidden = (place: number, type: string): string =>
  type.endsWith('[]') ? `ARRAY(SELECT unnest($${place}::${type}))` : `(SELECT $${place}::${type})`

/** What the whole statement shares. */
interface Shared {
  readonly values: Values
  aliases: number
  /** What computed columns go by, beside the row. */
  readonly asking?: unknown
}

/** A table that is joined, and a column of it whose value the link tells already. */
interface Joined {
  readonly sql: string
  readonly column: string
  readonly as: string
  isDone: boolean
}

export class Scope {
  readonly model: Model
  readonly values: Values
  readonly #alias: string
  readonly #shared: Shared
  readonly #joins: string[]
  readonly #others = new Map<string, Scope>()
  #joined: Joined | undefined
  /** There may be no row of it. */
  #isOptional = false

  constructor(model: string, shared: Shared, joins: string[] = []) {
    this.model = modelOf(model)
    this.values = shared.values
    this.#shared = shared
    this.#joins = joins
    this.#alias = `t${shared.aliases}`
    shared.aliases += 1
  }

  /** A column; a table that is joined is only looked at for what the link itself doesn't tell. */
  column(sql: string): string {
    if (this.#joined) {
      if (sql === this.#joined.column) return this.#joined.as
      if (!this.#joined.isDone) this.#joins.push(this.#joined.sql)
      this.#joined.isDone = true
    }
    return `${this.#alias}.${sql}`
  }

  get asking(): unknown {
    return this.#shared.asking
  }

  /** The table with those that are joined to it, as it stands behind FROM; nothing is asked of it any more. */
  tables(): string {
    return [`${this.model.table} ${this.#alias}`, ...this.#joins].join(' ')
  }

  /** The others alone. */
  joins(): string {
    return this.#joins.join(' ')
  }

  /** A table that is read on its own within the same statement. */
  inner(model: string): Scope {
    return new Scope(model, this.#shared)
  }

  /** The one record that a relation leads to, joined once however often it is asked for. */
  one(name: string, relation: Relation): Scope {
    const known = this.#others.get(name)
    if (known) return known
    const other = new Scope(relation.model, this.#shared, this.#joins)
    const as = this.column(relation.own)
    other.#isOptional = this.#isOptional || !relation.isRequired
    const kind = other.#isOptional ? 'LEFT JOIN' : 'JOIN'
    const sql = `${kind} ${other.model.table} ${other.#alias} ON ${other.#alias}.${relation.other} = ${as}`
    other.#joined = { sql, column: relation.other, as, isDone: false }
    this.#others.set(name, other)
    return other
  }

  /** A row of a relation's table that there is once or not at all: `where` says all of its key. */
  perhaps(relation: Relation, where: (other: Scope) => string): Scope {
    const other = new Scope(relation.model, this.#shared, this.#joins)
    other.#isOptional = true
    const link = `${other.#alias}.${relation.other} = ${this.column(relation.own)}`
    this.#joins.push(`LEFT JOIN ${other.model.table} ${other.#alias} ON ${link} AND ${where(other)}`)
    return other
  }
}
