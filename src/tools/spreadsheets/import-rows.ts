// Imports the rows of a file: checks all of them first, and writes them if all are valid.
import { foldLine } from '../../calendar/text/fold.ts'
import type { Operations } from '../operations.ts'
import { parseZone } from './cells.ts'
import type { SheetKind } from './columns.ts'
import { createDateReader } from './dates.ts'
import { findRecords } from './find-records.ts'
import type { Mapping } from './mapping.ts'
import { type Plan, planRow } from './plan.ts'
import { createReferences, type References } from './references.ts'
import {
  completeSchedule,
  createRowReader,
  isAboutSchedule,
  type Problem,
  type SheetRow,
  textColumnsOf,
} from './rows.ts'

export interface ImportSource {
  /** The headings of the file; undefined if its rows have names themselves. */
  headings?(): Promise<readonly string[]>
  /** Reads the file from its start. `onProgress` is called with the bytes that were read. */
  rows(onProgress: (bytes: number) => void): AsyncIterable<SourceRow>
  readonly size: number
}

interface SourceRow {
  readonly number: number
  readonly cells: ReadonlyMap<string, string>
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

interface RowProblem extends Problem {
  readonly row: number
}

export interface ImportReport {
  readonly dryRun: boolean
  /** Whether the rows without errors were written. Otherwise the counts say what would happen. */
  readonly written: boolean
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Rows with problems. */
  readonly failed: number
  readonly changes: readonly {
    readonly row: number
    readonly action: 'create' | 'update'
    readonly id: number | undefined
    readonly columns: readonly string[]
  }[]
  readonly errors: readonly RowProblem[]
  /** Cells that are not imported, by column. `rows` is their number, `row` the first of them. */
  readonly notes: readonly (RowProblem & { readonly rows: number })[]
  readonly ignoredColumns: readonly string[]
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
  const { mapping, language, onProgress } = options
  const reader = createRowReader(kind, mapping, { languages: settings.languages, language })
  const headings = await source.headings?.()
  if (headings) reader.checkHeadings(headings)
  const announced = await announcedNames(kind, source, reader)
  const pageSize = Math.min(100, Math.max(settings.perPageMax, 1))
  const references = createReferences(operations, { ...options, pageSize, announced })
  const run = (pass: Omit<Pass, 'results' | 'rowsById'>, offset: number, work: RowWork) => {
    const results = createResults(options.dryRun, reader.ignored)
    const rows = readRows(source, reader, (bytes) => onProgress(offset + bytes, 2 * source.size))
    return runPass(rows, { ...pass, results, rowsById: new Map() }, work)
  }
  const pass = { kind, operations, references, mapping }
  const checked = await run(pass, 0, checkRow)
  const report = { ...checked.report(), written: false }
  if (options.dryRun || (report.failed > 0 && !options.continueAfterErrors)) return report
  for (const linked of ['venue', 'organizer', 'category', 'tag'] as const) references.forget(linked)
  const invalid = new Set(report.errors.map(({ row }) => row))
  let last = 0
  const writeValid: RowWork = async (row, plan, context) => {
    if (invalid.has(row.number)) return undefined
    const outcome = await writeRow(row, plan, context)
    last = row.number
    return outcome
  }
  const written = await run(pass, source.size, writeValid).then(
    (results) => results.report(),
    (cause: unknown) => {
      const advice = last === 0 ? '' : ` Rows up to row ${last} were imported before. Import the file again.`
      throw new Error(`${(cause as Error).message}${advice}`, { cause })
    },
  )
  const late = written.errors.filter(({ row }) => !invalid.has(row))
  return {
    ...written,
    written: true,
    rows: report.rows,
    errors: [...report.errors, ...late],
    failed: new Set([...invalid, ...late.map(({ row }) => row)]).size,
  }
}

async function announcedNames(kind: SheetKind, source: ImportSource, reader: ReturnType<typeof createRowReader>) {
  const names = new Set<string>()
  if (kind.record !== 'category') return names
  const texts = textColumnsOf(kind)
  for await (const { cells } of readRows(source, reader, () => {})) {
    for (const [column, cell] of cells) {
      const field = texts.get(column.split(':', 1)[0] ?? '')
      if (field === 'name' || field === 'slug') names.add(foldLine(cell.trim()))
    }
  }
  return names
}

async function* readRows(
  source: ImportSource,
  reader: ReturnType<typeof createRowReader>,
  onProgress: (bytes: number) => void,
): AsyncGenerator<SheetRow> {
  let count = 0
  for await (const { number, cells } of source.rows(onProgress)) {
    count += 1
    if (count > maxRows) throw new Error(`The file has more than ${maxRows.toLocaleString('en')} rows. Split it.`)
    yield reader.read(number, cells)
  }
}

interface Pass {
  readonly kind: SheetKind
  readonly operations: Operations
  readonly references: References
  readonly mapping: Mapping
  readonly results: Results
  /** The first row of each record. */
  readonly rowsById: Map<number, number>
}

/** Returns the problems of a row, or undefined for a row that is left out. */
type RowWork = (row: SheetRow, plan: Plan, pass: Pass) => Promise<RowOutcome | undefined>

type RowOutcome = { readonly problems: readonly Problem[]; readonly id?: number | undefined } | 'later'

async function runPass(rows: AsyncIterable<SheetRow>, pass: Pass, work: RowWork): Promise<Results> {
  let waiting: SheetRow[] = []
  for await (const batch of batches(rows)) waiting.push(...(await runBatch(batch, pass, work)))
  // Each round writes at least the parents of other rows, or none of the rest can be written.
  for (let before = waiting.length + 1; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length
    pass.references.forget('category')
    const again: SheetRow[] = []
    // One by one, because each may be the parent of the next.
    for (const row of waiting) again.push(...(await runBatch([row], pass, work)))
    waiting = again
  }
  for (const { number } of waiting) {
    const message = 'The parent was not created: it has a problem itself, or the categories are parents of each other.'
    pass.results.add(number, undefined, [{ column: 'parent', message }])
  }
  return pass.results
}

async function* batches(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow[]> {
  let batch: SheetRow[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Returns the rows that have to wait for others. */
async function runBatch(batch: readonly SheetRow[], pass: Pass, work: RowWork): Promise<SheetRow[]> {
  const { kind, operations, references } = pass
  const waiting: SheetRow[] = []
  for (const [language, rows] of Map.groupBy(batch, (row) => row.language)) {
    const records = await findRecords(rows, { kind, execute: operations.execute, references, language })
    for (const row of rows) {
      const current = records.get(row)
      const first = current && pass.rowsById.get(current.id)
      if (first !== undefined && first !== row.number) {
        pass.results.add(row.number, undefined, [
          { column: 'id', message: `Row ${first} has the same ${kind.record}.` },
        ])
        continue
      }
      if (current) pass.rowsById.set(current.id, row.number)
      const zone = prepareSchedule(row, current, pass)
      const plan = await planRow(kind, row, current, references, zone)
      const outcome = await work(row, plan, pass)
      if (outcome === 'later') waiting.push(row)
      else if (outcome) pass.results.add(row.number, { ...plan, id: outcome.id ?? plan.id }, outcome.problems)
    }
  }
  return waiting
}

/** Completes the start and end of an event, and returns the time zone of the row. */
function prepareSchedule(row: SheetRow, current: object | undefined, { kind, mapping, operations }: Pass): string {
  const { siteTimeZone, endOfDayCutoff } = operations.session.settings
  if (kind.record !== 'event') return siteTimeZone
  const stored = current as { readonly timeZone: string; readonly allDay: boolean | null } | undefined
  const cell = row.cells.get('time_zone')
  const zone = cell?.trim() || (cell === undefined && stored?.timeZone) || siteTimeZone
  const readableZone = isReadable(zone) ? zone : siteTimeZone
  const readDate = createDateReader(mapping.dateFormats)
  completeSchedule(row, {
    zone: readableZone,
    wasAllDay: stored ? stored.allDay === true : undefined,
    endOfDayCutoff,
    readDate,
  })
  return readableZone
}

function isReadable(zone: string): boolean {
  try {
    return parseZone(zone) !== ''
  } catch {
    return false
  }
}

async function checkRow(_: SheetRow, plan: Plan, { kind, operations }: Pass): Promise<RowOutcome> {
  if (plan.action === 'unchanged' || Object.keys(plan.input).length === 0) return { problems: plan.problems }
  return { problems: [...plan.problems, ...(await mutate(plan, kind, operations, true)).problems] }
}

async function writeRow(_: SheetRow, plan: Plan, { kind, operations }: Pass): Promise<RowOutcome> {
  if (plan.isPending) return 'later'
  if (plan.problems.length > 0 || plan.action === 'unchanged') return { problems: plan.problems }
  return mutate(plan, kind, operations, false)
}

async function mutate(plan: Plan, kind: SheetKind, { execute, session }: Operations, checksOnly: boolean) {
  const options = { language: plan.language || session.settings.defaultLanguage, checksOnly }
  const payload = await (plan.action === 'create' ? kind.create : kind.update)(execute, plan.input, options)
  // A valid input that is only checked has one error without a message.
  const errors = (payload?.userErrors ?? []).filter(({ message }) => message !== '')
  const reported = new Set(plan.problems.map(({ column }) => column))
  // Cells with problems are not part of the input, which may then lack them.
  if (plan.problems.some(isAboutSchedule)) for (const column of ['start', 'end']) reported.add(column)
  const problems = errors.map(plan.problemOf).filter(({ column }) => column === undefined || !reported.has(column))
  return { problems, id: payload?.record?.id }
}

type Counted = Pick<Plan, 'action' | 'id' | 'columns' | 'notes'>
type Results = ReturnType<typeof createResults>

function createResults(dryRun: boolean, ignored: ReadonlySet<string>) {
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
  const changes: ImportReport['changes'][number][] = []
  const errors: RowProblem[] = []
  const notes = new Map<string, RowProblem & { rows: number }>()
  const add = (row: number, plan: Counted | undefined, problems: readonly Problem[]) => {
    counts.rows += 1
    for (const { column, message } of plan?.notes ?? []) {
      const note = notes.get(`${column} ${message}`) ?? { row, column, message, rows: 0 }
      notes.set(`${column} ${message}`, note)
      note.rows += 1
    }
    if (problems.length > 0 || !plan) {
      counts.failed += 1
      errors.push(...problems.map(({ column, message }) => ({ row, column, message })))
    } else if (plan.action === 'unchanged') counts.unchanged += 1
    else {
      counts[plan.action === 'create' ? 'created' : 'updated'] += 1
      changes.push({ row, action: plan.action, id: plan.id, columns: plan.columns })
    }
  }
  const report = (): Omit<ImportReport, 'written'> => ({
    dryRun,
    ...counts,
    changes,
    errors,
    notes: [...notes.values()],
    ignoredColumns: [...ignored],
  })
  return { add, report }
}
