// Records what a statement reads: all records of the kinds whose tables its text names or, if it reads records by ID, only these
// records.

import type { Db } from '../postgres/client.ts'
import { type Column, type Model, modelOf } from '../postgres/data-model.ts'
import type { beforeStatement } from '../postgres/query.ts'
import type { Row } from './lazy-record.ts'
import type { CachedKind, ReadRecorder } from './read-record.ts'
import { type CompiledStatement, readRows } from './statement.ts'
import { findStatementKinds, tableKind } from './statement-kinds.ts'

/** A Prisma Client together with the recorder of an operation. */
export interface RecordingClient {
  readonly client: Db
  readonly recorder: ReadRecorder
  [beforeStatement](text: string, values: readonly unknown[]): void
}

/** Records everything that a statement may read, according to its text. */
export function recordStatement(recorder: ReadRecorder, text: string, values: readonly unknown[]): void {
  const { kinds, isUncacheable, times } = findStatementKinds(text)
  recorder.addKinds(kinds)
  recorder.comparedTimes(times.map((index) => values[index]))
  if (isUncacheable) recorder.addUncacheable()
}

/** Runs a read. If `where` has IDs, records only these records and the records that they link to. */
export async function readSelected(
  client: RecordingClient,
  modelName: string,
  where: object = {},
  statement: CompiledStatement,
): Promise<Row[]> {
  const model = modelOf(modelName)
  const { recorder } = client
  const kind = tableKind(model.table.slice(1, -1))
  const selected = kind && !recorder.hasKind(kind.kind) ? selectedBy(model, kind.column, where) : undefined
  if (!selected || !kind) return readRows(client, statement)
  const { text, values, reads } = statement
  recorder.comparedTimes(findStatementKinds(text).times.map((index) => values[index]))
  const rows = await readRows(client.client, statement)
  const ids = selected.ids ?? rows.map(({ id }) => id as number)
  if (!selected.ids && rows.length === 0) recorder.addKinds([kind.kind])
  recorder.addRecords(kind.kind, ids)
  for (const { kinds, linked } of reads.others) {
    recorder.addKinds(kinds)
    for (const each of linked) recorder.addRecords(each, [])
  }
  const { collectLinks } = reads
  if (collectLinks) {
    const add = (linkedKind: CachedKind, id: number) => recorder.addRecords(linkedKind, [id])
    for (const row of rows) {
      row.values = JSON.parse(row.record)
      collectLinks(row.values, add)
    }
  }
  return rows
}

interface Selected {
  /** IDs of the selected records; undefined if a unique value of the record selects at most one. */
  readonly ids?: readonly number[] | undefined
}

/** Returns which records the conditions select by ID or unique value; undefined for other conditions. */
function selectedBy(model: Model, idColumn: string, where: object): Selected | undefined {
  for (const [name, filter] of Object.entries(where)) {
    const field = model.fields.get(name)
    const isId = field?.kind === 'column' && field.sql === `"${idColumn}"`
    const found =
      name === 'AND'
        ? [filter].flat().map((part) => selectedBy(model, idColumn, part as object))
        : [isId ? idsOf(field, filter) : isUnique(model, name, filter)]
    const first = found.find((each) => each !== undefined)
    if (first) return first
  }
  return undefined
}

function idsOf({ type }: Column, filter: unknown): Selected | undefined {
  if (type !== 'Int') return undefined
  if (typeof filter === 'number') return { ids: [filter] }
  const { in: ids, equals } = (filter ?? {}) as { in?: number[]; equals?: number }
  if (Array.isArray(ids)) return { ids }
  return typeof equals === 'number' ? { ids: [equals] } : undefined
}

/** Recognizes a filter with the whole primary key of a related row, such as a slug: it selects at most one record. */
function isUnique({ fields }: Model, name: string, filter: unknown): Selected | undefined {
  const relation = fields.get(name)
  if (relation?.kind !== 'relation' || !relation.isList) return undefined
  const { key, sharedRows } = modelOf(relation.model)
  const { some } = (filter ?? {}) as { some?: Readonly<Record<string, unknown>> }
  return (sharedRows?.key ?? key).every((column) => typeof some?.[column] === 'string') ? {} : undefined
}
