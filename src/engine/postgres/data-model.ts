// Tables, columns and relations of the Prisma schema, with @map and @db, as `prisma generate` writes them.
import { dataModel } from '../../generated/data-model.ts'

export interface Column {
  readonly kind: 'column'
  readonly name: string
  /** Quoted name in the table. */
  readonly sql: string
  /** Prisma's type: `DateTime`, `Int`, the name of an enum. */
  readonly type: string
  /** PostgreSQL's type of one value. */
  readonly native: string
  readonly isEnum: boolean
  readonly isList: boolean
}

export interface Relation {
  readonly kind: 'relation'
  readonly name: string
  readonly model: string
  readonly isList: boolean
  readonly isRequired: boolean
  readonly holdsForeignKey: boolean
  /** Pairs of quoted columns that are equal: of this table and of the other. */
  readonly on: readonly { readonly from: string; readonly to: string }[]
}

export interface Model {
  readonly name: string
  /** Quoted. */
  readonly table: string
  /** Fields of the primary key. */
  readonly key: readonly string[]
  /** Fields of each compound key, by its name in `where`. */
  readonly compoundKeys: ReadonlyMap<string, readonly string[]>
  readonly columns: readonly Column[]
  readonly fields: ReadonlyMap<string, Column | Relation>
}

interface DescribedColumn extends Omit<Column, 'kind' | 'sql'> {
  readonly column: string
}

interface DescribedRelation extends Omit<Relation, 'kind' | 'on'> {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

interface DescribedModel {
  readonly name: string
  readonly table: string
  readonly key: { readonly name?: string; readonly fields: readonly string[] }
  readonly uniques: readonly { readonly name: string; readonly fields: readonly string[] }[]
  readonly columns: readonly DescribedColumn[]
  readonly relations: readonly DescribedRelation[]
}

const quote = (name: string): string => `"${name}"`

const described = new Map((dataModel as readonly DescribedModel[]).map((model) => [model.name, model]))

function toModel({ name, table, key, uniques, columns, relations }: DescribedModel): Model {
  const own = columns.map(({ column, ...rest }): Column => ({ kind: 'column', ...rest, sql: quote(column) }))
  const relationFields = relations.map(({ from, to, ...rest }): Relation => {
    const target = described.get(rest.model)
    const on = from.map((field, index) => ({
      from: columnOf(columns, field),
      to: columnOf(target?.columns ?? [], to[index] ?? ''),
    }))
    return { kind: 'relation', ...rest, on }
  })
  const compoundKeys = [...uniques, ...(key.name === undefined ? [] : [{ name: key.name, fields: key.fields }])]
  return {
    name,
    table: quote(table),
    key: key.fields,
    compoundKeys: new Map(compoundKeys.map(({ name: keyName, fields }) => [keyName, fields])),
    columns: own,
    fields: new Map([...own, ...relationFields].map((field) => [field.name, field])),
  }
}

function columnOf(columns: readonly DescribedColumn[], field: string): string {
  const found = columns.find(({ name }) => name === field)
  if (!found) throw new Error(`There is no field ${field}`)
  return quote(found.column)
}

export const models: ReadonlyMap<string, Model> = new Map([...described].map(([name, model]) => [name, toModel(model)]))

/** Throws for a name that the schema does not have. */
export function modelOf(name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`There is no model ${name}`)
  return model
}
