// The PostgreSQL type of each field of the Prisma schema.

export interface Field {
  readonly name: string
  readonly kind: string
  readonly type: string
  readonly dbName?: string | null | undefined
  readonly isId: boolean
  readonly isList: boolean
  readonly isRequired: boolean
  readonly nativeType?: readonly [name: string, parameters: readonly string[]] | null | undefined
  readonly relationName?: string | undefined
  readonly relationFromFields?: readonly string[] | undefined
  readonly relationToFields?: readonly string[] | undefined
}

export interface Model {
  readonly name: string
  readonly dbName: string | null
  readonly fields: readonly Field[]
  readonly primaryKey: { readonly name?: string | null; readonly fields: readonly string[] } | null
  readonly uniqueIndexes: readonly { readonly name?: string | null; readonly fields: readonly string[] }[]
}

/** What Prisma's migrations make of a scalar type without @db. */
const defaults: Readonly<Record<string, string>> = {
  String: 'text',
  Boolean: 'boolean',
  Int: 'integer',
  BigInt: 'bigint',
  Float: 'double precision',
  Decimal: 'numeric',
  DateTime: 'timestamp',
  Json: 'jsonb',
  Bytes: 'bytea',
}

/** What @db calls a type differently from PostgreSQL. */
const natives: Readonly<Record<string, string>> = {
  Char: 'bpchar',
  DoublePrecision: 'double precision',
  Integer: 'integer',
  SmallInt: 'smallint',
  BigInt: 'bigint',
  ByteA: 'bytea',
  JsonB: 'jsonb',
}

/** The type without its length or precision, an enum's as a quoted name. */
export function nativeTypeOf({ kind, type, nativeType }: Field, enumNames: ReadonlyMap<string, string>): string {
  if (kind === 'enum') return `"${enumNames.get(type) ?? type}"`
  const [name] = nativeType ?? []
  const native = name === undefined ? defaults[type] : (natives[name] ?? name.toLowerCase())
  if (native === undefined) throw new Error(`The type ${type} has no PostgreSQL type`)
  return native
}
