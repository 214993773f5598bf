// What an operation selects of records, as Prisma's `select`: built once for all operations that select alike.
import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../context.ts'
import { PreloadedRecord } from '../db/preloaded-record.ts'
import { type SelectionAt, SelectionTemplate } from '../db/selection-template.ts'
import { memoize } from '../memoize.ts'
import { analyzedField } from './analyze-operation.ts'

type Select = Readonly<Record<string, unknown>>

interface SelectedFields {
  readonly select: Select | SelectionAt
  /** The record as resolvers take it: they load what it lacks, unless it is known to lack nothing. */
  readonly toSource: <Node extends object>(record: object) => Node
}

/** The selection with these columns beside those that the operation needs. */
export type RecordSelection = (columns?: readonly string[]) => SelectedFields

/** Where the records are, seen from the field. */
interface RecordPath {
  readonly path?: string[]
  readonly paths?: string[][]
}

export function selectionOf(context: Context, info: GraphQLResolveInfo, place: RecordPath = {}): RecordSelection {
  return (columns = []) => {
    const select = Object.fromEntries(['id', ...columns].map((name) => [name, true as const]))
    const build = (source: Context) =>
      (queryFromInfo({ context: source, info, ...place, select }) as { select: Select }).select
    const template = templateOf(context, info, columns, build)
    if (!template) return { select: build(context), toSource: (record) => record as never }
    return { select: template.at(context.now), toSource: (record) => preloaded(record, template.select) as never }
  }
}

/** By field of a document, kind of reader and columns. Clients can make up any number of documents. */
const templates = memoize(
  { name: 'selectionTemplates', max: 1000 },
  (_key: string, context: Context, build: (context: Context) => Select) =>
    new SelectionTemplate(build(context), context.now),
)

function templateOf(
  context: Context,
  info: GraphQLResolveInfo,
  columns: readonly string[],
  build: (context: Context) => Select,
): SelectionTemplate | undefined {
  const selection = analyzedField(info)?.selection
  // Directives may select otherwise with other variables, and two fields with other arguments may select other records of one
  // relation, which resolvers then load apart.
  if (!selection?.isPlain) return undefined
  const { language, viewer, forEditing, passwordKey, settings, withheld } = context
  // What is withheld is noted while a selection is built.
  if (withheld) return new SelectionTemplate(build(context), context.now)
  // All that a selection may depend on, beside the time.
  const key = JSON.stringify([
    selection.number,
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

/** The record with all of its selection, as the read engine returns it; Prisma's own engine returns plain objects. */
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
