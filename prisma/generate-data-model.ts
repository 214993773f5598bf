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
    table: model.dbName ?? model.name,
    key: keyOf(model),
    uniques: model.uniqueIndexes.map(({ name, fields }) => ({ name: name ?? fields.join('_'), fields })),
    columns: model.fields
      .filter(({ kind }) => kind === 'scalar' || kind === 'enum')
      .map((field) => ({
        name: field.name,
        column: field.dbName ?? field.name,
        type: field.type,
        native: nativeTypeOf(field, enumNames),
        isEnum: field.kind === 'enum',
        isList: field.isList,
        isRequired: field.isRequired,
      })),
    relations: model.fields
      .filter(({ kind }) => kind === 'object')
      .map((field) => ({
        name: field.name,
        model: field.type,
        isList: field.isList,
        isRequired: field.isRequired,
        holdsForeignKey: (field.relationFromFields?.length ?? 0) > 0,
        ...joinOf(model, field, models),
      })),
  }))
}

const keyOf = ({ primaryKey, fields }: Model) => ({
  name: primaryKey ? (primaryKey.name ?? primaryKey.fields.join('_')) : undefined,
  fields: primaryKey?.fields ?? fields.filter(({ isId }) => isId).map(({ name }) => name),
})

/** The fields that are equal on both sides. Throws for an implicit many-to-many relation, which has a table of its own. */
function joinOf(model: Model, field: Field, models: readonly Model[]) {
  if (field.relationFromFields?.length) return { from: field.relationFromFields, to: field.relationToFields }
  const opposite = models
    .find(({ name }) => name === field.type)
    ?.fields.find(
      (other) =>
        other.relationName === field.relationName && other.type === model.name && other.relationFromFields?.length,
    )
  if (!opposite) throw new Error(`${model.name}.${field.name}: write the link table of this relation as a model`)
  return { from: opposite.relationToFields, to: opposite.relationFromFields }
}

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
