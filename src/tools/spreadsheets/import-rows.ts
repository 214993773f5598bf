// Imports the rows of a file: checks all of them first, and writes them if all are valid.
import { foldLine } from '../../calendar/text/fold.ts'
import { mutationOf } from '../mutations.ts'
import { errorsOf, type Operations } from '../operations.ts'
import type { SheetKind } from './columns.ts'
import { createDateReader, type DateReader } from './dates.ts'
import { findRecords } from './find-records.ts'
import { createResults, type ImportReport, type Results } from './import-report.ts'
import type { Mapping } from './mapping.ts'
import { type Plan, planRow } from './plan.ts'
import { createReferences, type References } from './references.ts'
import { createRowReader, type RowReader, type SheetRow, type SourceRow } from './rows.ts'
import { completeSchedule, isAboutSchedule } from './schedule.ts'

export interface ImportSource {
  /** The headings of the file; undefined if its rows have names themselves. */
  headings?(): Promise<readonly string[]>
  /** Reads the file from its start. `onProgress` is called with the bytes that were read. */
  rows(onProgress: (bytes: number) => void): AsyncIterable<SourceRow>
  readonly size: number
}

export interface ImportOptions {
  /** The language of texts without one. */
  readonly language: string
  readonly mapping: Mapping
  readonly dryRun: boolean
  /** Whether to write the valid rows if others have problems. */
  readonly continueAfterErrors: boolean
  /** Whether unknown venues, organizers, categories and tags of events are created. */
  readonly createMissing: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Rows whose records are read together. */
const batchSize = 40

const maxRows = 200_000

export async function importRows(
  source: ImportSource,
  kind: SheetKind,
  operations: Operations,
  options: ImportOptions,
): Promise<ImportReport> {
  const { settings } = operations.session
  const { mapping, language, dryRun, onProgress } = options
  const reader = createRowReader(kind, mapping, { languages: settings.languages, language })
  const headings = await source.headings?.()
  if (headings) reader.checkHeadings(headings)
  const announced = await announcedNames(kind, source, reader)
  const pageSize = Math.min(100, Math.max(settings.perPageMax, 1))
  const references = createReferences(operations, { ...options, pageSize, announced })
  const pass = { kind, operations, references, readDate: createDateReader(mapping.dateFormats) }
  const readFrom = (offset: number) => readRows(source, reader, (bytes) => onProgress(offset + bytes, 2 * source.size))
  const results = createResults()
  await runPass(readFrom(0), { ...pass, checksOnly: true, results, rowsById: new Map() })
  const checked = results.report()
  const common = { dryRun, ignoredColumns: [...reader.ignored] }
  if (dryRun || (checked.failed > 0 && !options.continueAfterErrors)) return { ...common, ...checked, written: false }
  references.forget()
  const invalid = new Set(checked.errors.map(({ row }) => row))
  const writing = createResults()
  let last = 0
  const valid = async function* () {
    for await (const row of readFrom(source.size)) if (!invalid.has(row.number)) yield row
  }
  const onWritten = (row: number) => {
    last = row
  }
  await runPass(valid(), { ...pass, checksOnly: false, results: writing, rowsById: new Map(), onWritten }).catch(
    (cause: unknown) => {
      const advice = last === 0 ? '' : ` Rows up to row ${last} were imported before. Import the file again.`
      throw new Error(`${(cause as Error).message}${advice}`, { cause })
    },
  )
  const written = writing.report()
  return {
    ...common,
    ...written,
    written: true,
    rows: checked.rows,
    errors: [...checked.errors, ...written.errors],
    failed: checked.failed + written.failed,
  }
}

/** The folded names and slugs of the categories that the file creates. */
async function announcedNames(kind: SheetKind, source: ImportSource, reader: RowReader): Promise<Set<string>> {
  const names = new Set<string>()
  if (kind.record !== 'category') return names
  for await (const { cells } of readRows(source, reader, () => {})) {
    for (const [column, cell] of cells) if (/^(name|slug)\b/.test(column)) names.add(foldLine(cell.trim()))
  }
  return names
}

async function* readRows(
  source: ImportSource,
  reader: RowReader,
  onProgress: (bytes: number) => void,
): AsyncGenerator<SheetRow> {
  let count = 0
  for await (const row of source.rows(onProgress)) {
    count += 1
    if (count > maxRows) throw new Error(`The file has more than ${maxRows.toLocaleString('en')} rows. Split it.`)
    yield reader.read(row)
  }
}

interface Pass {
  readonly kind: SheetKind
  readonly operations: Operations
  readonly references: References
  readonly readDate: DateReader
  /** Whether nothing is written. */
  readonly checksOnly: boolean
  readonly results: Results
  /** The first row of each record. */
  readonly rowsById: Map<number, number>
  onWritten?(row: number): void
}

async function runPass(rows: AsyncIterable<SheetRow>, pass: Pass): Promise<void> {
  let waiting: SheetRow[] = []
  let batch: SheetRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    waiting.push(...(await runBatch(batch, pass)))
    batch = []
  }
  waiting.push(...(await runBatch(batch, pass)))
  // Each round writes at least the parents of other rows, or none of the rest can be written.
  for (let before = waiting.length + 1; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length
    pass.references.forget()
    const again: SheetRow[] = []
    // One by one, because each may be the parent of the next.
    for (const row of waiting) again.push(...(await runBatch([row], pass)))
    waiting = again
  }
  const message = 'The parent was not created: it has a problem itself, or the categories are parents of each other.'
  for (const row of waiting) {
    row.problems.push({ column: 'parent', message })
    pass.results.add(row)
  }
}

/** Returns the rows that have to wait for others. */
async function runBatch(batch: readonly SheetRow[], pass: Pass): Promise<SheetRow[]> {
  const { kind, operations, references, results } = pass
  const waiting: SheetRow[] = []
  for (const [language, rows] of Map.groupBy(batch, (row) => row.language)) {
    const records = await findRecords(rows, { kind, execute: operations.execute, references, language })
    for (const row of rows) {
      const current = records.get(row)
      const first = (current && pass.rowsById.get(current.id)) ?? row.number
      if (current) pass.rowsById.set(current.id, first)
      if (first !== row.number) {
        row.problems.push({ column: 'id', message: `Row ${first} has the same ${kind.record}.` })
        results.add(row)
        continue
      }
      if (kind.record === 'event') {
        const stored = current as Parameters<typeof completeSchedule>[1]
        completeSchedule(row, stored, { ...operations.session.settings, readDate: pass.readDate })
      }
      const plan = await planRow(kind, row, current, references)
      if (plan.isPending && !pass.checksOnly) waiting.push(row)
      else results.add(row, { ...plan, id: (await mutate(row, plan, pass)) ?? plan.id })
    }
  }
  return waiting
}

/** Runs or checks the mutation of a row, and returns the ID of the written record. */
async function mutate(row: SheetRow, plan: Plan, pass: Pass): Promise<number | undefined> {
  const { kind, operations, checksOnly, onWritten } = pass
  const { action, input, problemOf } = plan
  if (action === 'unchanged' || Object.keys(input).length === 0) return undefined
  if (row.problems.length > 0 && !checksOnly) return undefined
  const language = plan.language ?? operations.session.settings.defaultLanguage
  const mutation = mutationOf(action === 'create' ? 'Create' : 'Update', kind.record)
  const { outcome } = await operations.execute(mutation, { input }, { language, checksOnly })
  const reported = new Set(row.problems.map(({ column }) => column))
  // Cells with problems are not part of the input, which may then lack them.
  if (row.problems.some(isAboutSchedule)) for (const column of ['start', 'end']) reported.add(column)
  const problems = errorsOf(outcome).map(problemOf)
  row.problems.push(...problems.filter(({ column }) => column === undefined || !reported.has(column)))
  onWritten?.(row.number)
  return outcome?.record?.id
}
