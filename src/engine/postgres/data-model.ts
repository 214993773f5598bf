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

/** A model as prisma/generate-data-model.ts describes it. */
interface DescribedModel {
  readonly name: string
  /** Quoted. */
  readonly table: string
  /** Fields of the primary key. */
  readonly key: readonly string[]
  /** Names of compound keys in `where`. */
  readonly compoundKeys: readonly string[]
  readonly columns: readonly Column[]
  readonly relations: readonly Relation[]
}

export interface Model extends DescribedModel {
  readonly fields: ReadonlyMap<string, Column | Relation>
}

export const models: ReadonlyMap<string, Model> = new Map(
  (dataModel as readonly DescribedModel[]).map((model) => {
    const fields = [...model.columns, ...model.relations].map((field) => [field.name, field] as const)
    return [model.name, { ...model, fields: new Map(fields) }]
  }),
)

/** Throws for a name that the schema does not have. */
export function modelOf(name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`There is no model ${name}`)
  return model
}
