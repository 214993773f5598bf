// What statements of our own need to know of the data model: tables, columns, and what leads from one to another.
import { getDatamodel } from '../generated/pothos.ts'

export interface Column {
  readonly kind: 'column'
  /** Its quoted name in the table. */
  readonly sql: string
  /** Prisma's type: `DateTime`, `Int`, the name of an enum. */
  readonly type: string
  readonly isEnum: boolean
  /** What PostgreSQL calls the type of what it is compared with. */
  readonly native: string | undefined
}

export interface Relation {
  readonly kind: 'relation'
  readonly model: string
  readonly isList: boolean
  readonly isRequired: boolean
  /** Quoted columns that are equal: of this table and of the other. */
  readonly own: string
  readonly other: string
}

export interface Model {
  readonly table: string
  /** The columns that tell its rows apart: numbers and languages. */
  readonly key: readonly string[]
  readonly fields: ReadonlyMap<string, Column | Relation>
}

interface Field {
  readonly name: string
  readonly kind: string
  readonly type: string
  readonly isList: boolean
  readonly isRequired: boolean
  readonly relationName?: string | undefined
  readonly relationFromFields?: readonly string[] | undefined
}

interface Described {
  readonly fields: readonly Field[]
  readonly primaryKey: { readonly fields: readonly string[] } | null
}

const { models: described } = getDatamodel().datamodel as unknown as {
  readonly models: Readonly<Record<string, Described>>
}

/** Tables and columns are named as in the code, in the database's spelling. */
export const quoted = (name: string): string =>
  `"${name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()}"`

const natives: Readonly<Record<string, string>> = { Int: 'int', String: 'text', Boolean: 'boolean', Float: 'float8' }

const models = new Map(
  Object.entries(described).map(([name, { fields, primaryKey }]): [string, Model] => [
    name,
    {
      table: quoted(name),
      key: primaryKey?.fields ?? ['id'],
      fields: new Map(fields.map((field) => [field.name, toField(name, field)])),
    },
  ]),
)

/** Throws for a name that is none of the schema's. */
export function modelOf(name: string): Model {
  const model = models.get(name)
  if (!model) throw new Error(`There is no model ${name}`)
  return model
}

function native({ name, kind, type }: Field): string | undefined {
  if (kind === 'enum') return quoted(type)
  // Wall clocks are called so.
  if (type === 'DateTime') return name.endsWith('Local') ? 'timestamp' : 'timestamptz'
  return natives[type]
}

function toField(model: string, field: Field): Column | Relation {
  const { name, kind, type, isList, isRequired } = field
  if (kind !== 'object')
    return { kind: 'column', sql: quoted(name), type, isEnum: kind === 'enum', native: native(field) }
  // Every link is one column that holds the number of the record it leads to.
  const key = field.relationFromFields?.[0]
  const back = described[type]?.fields.find(
    (other) =>
      other.relationName === field.relationName &&
      other.type === model &&
      other.relationFromFields !== undefined &&
      other.relationFromFields.length > 0,
  )
  const id = quoted('id')
  return {
    kind: 'relation',
    model: type,
    isList,
    isRequired,
    own: key === undefined ? id : quoted(key),
    other: key === undefined ? quoted(back?.relationFromFields?.[0] ?? 'id') : id,
  }
}
