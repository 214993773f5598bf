// Imports the rows of a file: checks all rows first, and writes them if all are valid.
import { foldLine } from '../../calendar/text/fold.ts'
import type { SheetEventFragment } from '../../generated/graphql/graphql.ts'
import { findMutation, type Operations, userErrorsOf } from '../operations.ts'
import { findStoredRecords } from './find-records.ts'
import type { SheetKind } from './kinds.ts'
import type { ColumnMapping } from './mapping.ts'
import { planRowMutation, type RowMutationPlan } from './plan.ts'
import { createReferenceFinder, type ReferenceFinder } from './reference-finder.ts'
import { createRowReader, type Problem, type SheetRow } from './rows.ts'
import { computeStartAndEnd, createDateReader, type DateReader, isScheduleProblem } from './schedule.ts'
import { createSeriesRows, type SeriesRows } from './series-rows.ts'
import type { ImportSource } from './source.ts'

export interface RowImportOptions {
  /** The language of text columns without a language in their names. */
  readonly language: string
  readonly mapping: ColumnMapping
  readonly dryRun: boolean
  /** Whether to write the valid rows if others have problems. */
  readonly continueAfterErrors: boolean
  /** Whether unknown venues, organizers, categories and tags of events are created. */
  readonly createMissing: boolean
  readonly onProgress: (done: number, total: number) => void
}

/** Number of rows whose records are read with one request. */
const batchSize = 40

const maxRows = 200_000

export type RowImportReport = Awaited<ReturnType<typeof importRows>>

export async function importRows(
  source: ImportSource,
  kind: SheetKind,
  operations: Operations,
  options: RowImportOptions,
) {
  const { settings } = operations.session
  const { mapping, language, dryRun, onProgress } = options
  const reader = createRowReader(kind, mapping, { languages: settings.languages, language })
  const readRows = async function* (report?: (bytes: number) => void) {
    let count = 0
    for await (const row of source.rows((bytes) => report?.(bytes), reader.checkHeadings)) {
      count += 1
      if (count > maxRows)
        throw new Error(`The file has more than ${maxRows.toLocaleString('en')} rows. Split it into smaller files.`)
      yield reader.read(row)
    }
  }
  const readFrom = (offset: number) => readRows((bytes) => onProgress(offset + bytes, 2 * source.size))
  const announced = kind.record === 'category' ? await namesIn(readRows()) : new Set<string>()
  const pageSize = Math.min(100, Math.max(settings.perPageMax, 1))
  const references = createReferenceFinder(operations, { ...options, pageSize, announced })
  const readDate = createDateReader(mapping.dateFormats)
  const createPass = (checksOnly: boolean): Pass => {
    const common = { kind, operations, references, readDate, checksOnly }
    return { ...common, results: createResults(), rowsById: new Map(), series: createSeriesRows(), lastRow: 0 }
  }
  const checked = await runPass(readFrom(0), createPass(true))
  const common = { dryRun, ignoredColumns: [...reader.ignored] }
  if (dryRun || (checked.failed > 0 && !options.continueAfterErrors)) return { ...common, ...checked, written: false }
  references.forget()
  const invalid = new Set(checked.errors.map(({ row }) => row))
  const valid = async function* () {
    for await (const row of readFrom(source.size)) if (!invalid.has(row.number)) yield row
  }
  const pass = createPass(false)
  const written = await runPass(valid(), pass).catch((cause: unknown) => {
    const { lastRow } = pass
    const advice =
      lastRow === 0 ? '' : ` The import stopped after row ${lastRow}, whose changes stay. Import the whole file again.`
    throw new Error(`${(cause as Error).message}${advice}`, { cause })
  })
  return {
    ...common,
    ...written,
    /** Whether the valid rows were written. If not, the counts say what an import would write. */
    written: true,
    rows: checked.rows,
    errors: [...checked.errors, ...written.errors],
    failed: checked.failed + written.failed,
  }
}

/** Returns the names and slugs of the categories in the file, folded (without case and accents). */
async function namesIn(rows: AsyncIterable<SheetRow>): Promise<Set<string>> {
  const names = new Set<string>()
  for await (const { cells } of rows) {
    for (const [column, cell] of cells) if (/^(name|slug)\b/.test(column)) names.add(foldLine(cell.trim()))
  }
  return names
}

interface Pass {
  readonly kind: SheetKind
  readonly operations: Operations
  readonly references: ReferenceFinder
  readonly readDate: DateReader
  readonly checksOnly: boolean
  readonly results: ReturnType<typeof createResults>
  /** The number of the first row for each record ID, to report further rows for the same record. */
  readonly rowsById: Map<number, number>
  readonly series: SeriesRows
  /** The number of the last row that was written, or 0. */
  lastRow: number
}

async function runPass(rows: AsyncIterable<SheetRow>, pass: Pass) {
  let waiting: SheetRow[] = []
  let batch: SheetRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    waiting.push(...(await runBatch(batch, pass)))
    batch = []
  }
  waiting.push(...(await runBatch(batch, pass)))
  // Rows whose parent category is a later row: each round writes the rows whose parents exist now, until none is left.
  for (let before = waiting.length + 1; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length
    pass.references.forget()
    const again: SheetRow[] = []
    // One row at a time, because each row can be the parent category of the next row.
    for (const row of waiting) again.push(...(await runBatch([row], pass)))
    waiting = again
  }
  const message = 'The parent was not created: it has a problem itself, or the categories are parents of each other.'
  for (const row of waiting) {
    row.problems.push({ column: 'parent', message })
    pass.results.add(row)
  }
  return pass.results.report()
}

/** Imports or checks some rows. Returns the rows whose parent category does not exist yet. */
async function runBatch(batch: readonly SheetRow[], pass: Pass): Promise<SheetRow[]> {
  const { kind, operations, references, results } = pass
  const waiting: SheetRow[] = []
  for (const [language, rows] of Map.groupBy(batch, (row) => row.language)) {
    const records = await findStoredRecords(rows, { kind, execute: operations.execute, references, language })
    for (const row of rows) {
      const current = records.get(row)
      const first = (current && pass.rowsById.get(current.id)) ?? row.number
      if (current) pass.rowsById.set(current.id, first)
      if (first !== row.number) {
        row.problems.push({ column: 'id', message: `Row ${first} has the same ${kind.record}.` })
        results.add(row)
        continue
      }
      const stored = kind.record === 'event' ? (current as SheetEventFragment | undefined) : undefined
      if (kind.record === 'event') {
        computeStartAndEnd(row, stored, { ...operations.session.settings, readDate: pass.readDate })
      }
      const date = pass.series.open(row, stored)
      const plan = await planRowMutation(kind, row, current, references, date)
      if (plan.inputs.some(({ scope }) => scope === 'ALL')) date?.setWritten()
      if (plan.isPending && !pass.checksOnly) waiting.push(row)
      else results.add(row, { ...plan, id: (await mutate(row, plan, pass)) ?? plan.id })
    }
  }
  return waiting
}

/** Runs the mutation of a row, or only checks its input. Returns the ID of the written record. */
async function mutate(row: SheetRow, plan: RowMutationPlan, pass: Pass): Promise<number | undefined> {
  const { kind, operations, checksOnly } = pass
  const { action, inputs, problemOf } = plan
  if (action === 'unchanged') return undefined
  if (row.problems.length > 0 && !checksOnly) return undefined
  const language = plan.language ?? operations.session.settings.defaultLanguage
  const mutation = findMutation(action === 'create' ? 'Create' : 'Update', kind.record)
  let id: number | undefined
  const problems: Problem[] = []
  for (const input of inputs) {
    if (Object.keys(input).length === 0 || (problems.length > 0 && !checksOnly)) continue
    const { outcome } = await operations.execute(mutation, { input }, { language, checksOnly })
    problems.push(...userErrorsOf(outcome).map(problemOf))
    id = outcome?.record?.id ?? id
  }
  const reported = new Set(row.problems.map(({ column }) => column))
  // Cells with problems are not in the input. An error of the mutation about their absence is not reported.
  if (row.problems.some(isScheduleProblem)) for (const column of ['start', 'end']) reported.add(column)
  row.problems.push(...problems.filter(({ column }) => column === undefined || !reported.has(column)))
  pass.lastRow = row.number
  return id
}

type RowProblem = Problem & { readonly row: number }

function createResults() {
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
  const changes: (Pick<RowMutationPlan, 'action' | 'id' | 'columns'> & { readonly row: number })[] = []
  const errors: RowProblem[] = []
  /** Notes about cells that are not imported, once per column and message. `rows`: their number, `row`: the first one. */
  const notes = new Map<string, RowProblem & { rows: number }>()
  const add = (
    { number: row, problems }: SheetRow,
    plan?: Pick<RowMutationPlan, 'action' | 'id' | 'columns' | 'notes'>,
  ) => {
    counts.rows += 1
    for (const problem of plan?.notes ?? []) {
      const key = `${problem.column} ${problem.message}`
      const note = notes.get(key) ?? { row, ...problem, rows: 0 }
      notes.set(key, note)
      note.rows += 1
    }
    if (problems.length > 0 || !plan) {
      counts.failed += 1
      errors.push(...problems.map((problem) => ({ row, ...problem })))
    } else if (plan.action === 'unchanged') counts.unchanged += 1
    else {
      counts[plan.action === 'create' ? 'created' : 'updated'] += 1
      changes.push({ row, action: plan.action, id: plan.id, columns: plan.columns })
    }
  }
  return { add, report: () => ({ ...counts, changes, errors, notes: [...notes.values()] }) }
}
