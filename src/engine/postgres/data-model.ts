// Tables, columns and relations of the Prisma schema, with their names and types in PostgreSQL (@map and @db).
import { dataModel } from '../../generated/data-model.ts'

export interface Column {
  readonly kind: 'column'
  readonly name: string
  /** Quoted name of the column in PostgreSQL. */
  readonly sql: string
  /** Prisma's type: `DateTime`, `Int`, the name of an enum. */
  readonly type: string
  /** PostgreSQL type of the column; of a list, the type of one item. */
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
  /** Pairs of quoted columns that the join condition compares: `from` of this table, `to` of the other table. */
  readonly on: readonly { readonly from: string; readonly to: string }[]
}

/** A table whose rows several records share. A record refers to its rows by a column that the table has too. */
export interface SharedRows {
  /** Quoted name of the table. */
  readonly table: string
  /** Names of the fields of its primary key, without the column by which records share rows. */
  readonly key: readonly string[]
  /** Quoted name of the column by which records share rows, both in the table and in that of the records. */
  readonly id: string
  /** Quoted name of the column of the view with the ID of the record. */
  readonly recordId: string
}

/** A model as prisma/generate-data-model.ts describes it. */
interface DescribedModel {
  readonly name: string
  /** Quoted name of the table. */
  readonly table: string
  /** Names of the fields of the primary key. */
  readonly key: readonly string[]
  /** Names that Prisma's `where` uses for compound keys, such as `eventId_tagId`. */
  readonly compoundKeys: readonly string[]
  /** Of a view that has the rows of a table for each record that shares them: the table. */
  readonly sharedRows?: SharedRows
  readonly columns: readonly Column[]
  readonly relations: readonly Relation[]
}

/** A Prisma model, with its columns and relations by name. */
export interface Model extends DescribedModel {
  readonly fields: ReadonlyMap<string, Column | Relation>
}

export const models: ReadonlyMap<string, Model> = new Map(
  (dataModel as readonly DescribedModel[]).map((model) => {
    const fields = [...model.columns, ...model.relations].map((field) => [field.name, field] as const)
    return [model.name, { ...model, fields: new Map(fields) }]
  }),
)

/** Returns the model with this name. Throws an error if the Prisma schema has no such model. */
export function modelOf(name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`The Prisma schema has no model ${name}`)
  return model
}
