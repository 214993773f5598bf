// A Prisma generator: writes what the read engine knows of the schema (tables, columns, native types, relations), with
// @map and @db, which Prisma Client does not expose at run time.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import generatorHelper from '@prisma/generator-helper'
import { type Field, type Model, nativeTypeOf } from './native-types.ts'

interface Datamodel {
  readonly models: readonly Model[]
  readonly enums: readonly { readonly name: string; readonly dbName?: string | null | undefined }[]
}

function describe({ models, enums }: Datamodel) {
  const enumNames = new Map(enums.map(({ name, dbName }) => [name, dbName ?? name]))
  return models.map((model) => ({
    name: model.name,
    table: quote(model.dbName ?? model.name),
    key: keyOf(model),
    sharedRows: sharedRowsOf(model, models),
    compoundKeys: [...model.uniqueIndexes, ...(model.primaryKey ? [model.primaryKey] : [])].map(
      ({ name, fields }) => name ?? fields.join('_'),
    ),
    columns: model.fields
      .filter(({ kind }) => kind === 'scalar' || kind === 'enum')
      .map((field) => ({
        kind: 'column',
        name: field.name,
        sql: quote(field.dbName ?? field.name),
        type: field.type,
        native: nativeTypeOf(field, enumNames),
        isEnum: field.kind === 'enum',
        isList: field.isList,
      })),
    relations: model.fields
      .filter(({ kind }) => kind === 'object')
      .map((field) => ({
        kind: 'relation',
        name: field.name,
        model: field.type,
        isList: field.isList,
        isRequired: field.isRequired,
        holdsForeignKey: (field.relationFromFields?.length ?? 0) > 0,
        on: joinOf(model, field, models),
      })),
  }))
}

/** The fields of the primary key; of a view, of its unique key. */
const keyOf = ({ primaryKey, fields, uniqueIndexes }: Model) => {
  const ids = fields.filter(({ isId }) => isId).map(({ name }) => name)
  return primaryKey?.fields ?? (ids.length > 0 ? ids : (uniqueIndexes[0]?.fields ?? []))
}

/** Of a view such as EventText, which has the rows of ContentText for each event with the content: the table with the rows. */
function sharedRowsOf({ name, fields }: Model, models: readonly Model[]) {
  const table = models.find((model) => model.name === `Content${name.replace(/^Event/, '')}` && model.name !== name)
  if (!table || !fields.some((field) => field.name === 'eventId')) return undefined
  const key = keyOf(table).filter((field) => field !== 'contentId')
  return { table: quote(table.dbName ?? table.name), key, id: '"content_id"', recordId: '"event_id"' }
}

const quote = (name: string): string => `"${name}"`

/** Pairs of columns that are equal. Throws for an implicit many-to-many relation, which has a table of its own. */
function joinOf(model: Model, field: Field, models: readonly Model[]) {
  const other = models.find(({ name }) => name === field.type)
  const opposite = other?.fields.find(
    ({ relationName, type, relationFromFields }) =>
      relationName === field.relationName && type === model.name && relationFromFields?.length,
  )
  const [from = [], to = []] = field.relationFromFields?.length
    ? [field.relationFromFields, field.relationToFields]
    : [opposite?.relationToFields, opposite?.relationFromFields]
  if (from.length === 0)
    throw new Error(`${model.name}.${field.name}: write the link table of this relation as a model`)
  return from.map((name, index) => ({ from: columnOf(model, name), to: columnOf(other, to[index]) }))
}

const columnOf = (model: Model | undefined, field: string | undefined) =>
  quote(model?.fields.find(({ name }) => name === field)?.dbName ?? field ?? '')

generatorHelper.generatorHandler({
  onManifest: () => ({ defaultOutput: '../src/generated/data-model.ts', prettyName: 'the data model' }),
  async onGenerate({ dmmf, generator }) {
    const file = generator.output?.value
    if (!file) throw new Error('The generator has no output')
    const { models, enums } = dmmf.datamodel as unknown as Datamodel
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      `export const dataModel: unknown = JSON.parse(${JSON.stringify(JSON.stringify(describe({ models, enums })))})\n`,
    )
  },
})
