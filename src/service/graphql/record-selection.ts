// Builds Prisma's `select` for the records of an operation, and reuses it for operations with the same selection.
import { hash } from 'node:crypto'
import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import { memoize } from '../../basics/memoize.ts'
import { findAnalyzedField } from '../../engine/execution/analyze-operation.ts'
import { PreloadedRecord } from '../../engine/postgres/preloaded-record.ts'
import { type SelectionAt, SelectionTemplate } from '../../engine/postgres/selection-template.ts'
import type { Context } from '../context.ts'

type Select = Readonly<Record<string, unknown>>

interface SelectedFields {
  readonly select: Select | SelectionAt
  /** Converts a record to a PreloadedRecord, from which resolvers read all fields without loading more. */
  readonly toSource: <Node extends object>(record: object) => Node
}

/** Returns the columns and relations that an operation selects of its records, and the additional `columns`. */
export type RecordSelection = (columns?: readonly string[]) => SelectedFields

/** Where the records are: the path from the field to them, and their type where the field returns an interface. */
interface RecordPath {
  readonly path?: string[]
  readonly paths?: string[][]
  readonly typeName?: string
}

/** Returns a function that builds the selection of the records that a field returns. */
export function buildSelection(context: Context, info: GraphQLResolveInfo, place: RecordPath = {}): RecordSelection {
  return (columns = []) => {
    const columnsSelected = Object.fromEntries(['id', ...columns].map((name) => [name, true as const]))
    const build = (source: Context) =>
      (queryFromInfo({ context: source, info, ...place, select: columnsSelected }) as { select: Select }).select
    const template = templateOf(context, info, { columns, typeName: place.typeName }, build)
    // Complete without a template, too: its directives are evaluated, and fields that select the same relation select the same
    // rows of the relation.
    const select = template?.select ?? build(context)
    return { select: template?.at(context.now) ?? select, toSource: (record) => preloaded(record, select) as never }
  }
}

/** Templates by selection, viewer and columns. Their number is limited, because clients can send any number of documents. */
const templates = memoize(
  { name: 'selectionTemplates', max: 1000 },
  (_key: string, context: Context, build: (context: Context) => Select) =>
    shared(new SelectionTemplate(build(context), context.now)),
)

const sharedTemplates = memoize(
  { name: 'sharedTemplates', max: 1000 },
  (_hash: string, template: SelectionTemplate) => template,
)

/** Returns the same template for equal selections of several operations, so that they share statements and cached results. */
function shared(template: SelectionTemplate): SelectionTemplate {
  const { select, placeholder } = template
  const json = JSON.stringify(select, function (this: Readonly<Record<string, unknown>>, name, value) {
    return this[name] === placeholder ? { placeholder: true } : value
  })
  return sharedTemplates(hash('sha256', json, 'base64'), template)
}

function templateOf(
  context: Context,
  info: GraphQLResolveInfo,
  { columns, typeName }: { readonly columns: readonly string[]; readonly typeName: string | undefined },
  build: (context: Context) => Select,
): SelectionTemplate | undefined {
  const selection = findAnalyzedField(info)?.selection
  // A selection with directives or arguments depends on variables.
  if (!selection?.isPlain) return undefined
  const { language, viewer, forEditing, passwordKey, settings, withheld } = context
  // Building the selection also records which records are withheld, so each operation has to build its own.
  if (withheld) return new SelectionTemplate(build(context), context.now)
  // The key has all values that a selection depends on, except the time.
  const key = JSON.stringify([
    selection.number,
    typeName,
    settings.languageFallback,
    language,
    viewer?.id,
    viewer?.role,
    forEditing,
    passwordKey,
    columns,
  ])
  return templates(key, context, build)
}

/** Converts a plain object of Prisma's own engine to a PreloadedRecord, as the read engine returns it. */
function preloaded(value: unknown, select: Select): unknown {
  if (Array.isArray(value)) return value.map((item) => preloaded(item, select))
  if (typeof value !== 'object' || value === null || value instanceof PreloadedRecord) return value
  const record = new PreloadedRecord()
  for (const [name, field] of Object.entries(value)) {
    const nested = (select[name] as { readonly select?: Select } | undefined)?.select
    record[name] = nested ? preloaded(field, nested) : field
  }
  return record
}
