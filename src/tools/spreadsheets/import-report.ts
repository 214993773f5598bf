// What an import did, and how the command prints it.
import type { Plan } from './plan.ts'
import type { Problem, SheetRow } from './rows.ts'

interface RowProblem extends Problem {
  readonly row: number
}

interface RowChange {
  readonly row: number
  readonly action: 'create' | 'update'
  readonly id: number | undefined
  readonly columns: readonly string[]
}

export type ImportReport = ReturnType<Results['report']> & {
  readonly dryRun: boolean
  /** Whether the rows without errors were written. Otherwise the counts say what would happen. */
  readonly written: boolean
  readonly ignoredColumns: readonly string[]
}

export type Results = ReturnType<typeof createResults>

/** Collects the results of rows. */
export function createResults() {
  const counts = { rows: 0, created: 0, updated: 0, unchanged: 0, failed: 0 }
  const changes: RowChange[] = []
  const errors: RowProblem[] = []
  /** Cells that are not imported, by column. `rows` is their number, `row` the first of them. */
  const notes = new Map<string, RowProblem & { rows: number }>()
  const add = ({ number: row, problems }: SheetRow, plan?: Pick<Plan, 'action' | 'id' | 'columns' | 'notes'>) => {
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

export function describeReport(report: ImportReport) {
  const { created, updated, unchanged, failed, dryRun, written, ignoredColumns } = report
  const changes = report.changes.map(({ row, action, id, columns }) =>
    [`Row ${row}: ${action}`, ...(id === undefined ? [] : [id]), `(${columns.join(', ')})`].join(' '),
  )
  const notes = report.notes.map(({ row, rows, column, message }) => {
    const where = rows === 1 ? `row ${row}` : `${rows} rows, first row ${row},`
    return `Column ${column} of ${where} is not imported. ${message}`
  })
  const ignored = ignoredColumns.length === 0 ? [] : [`Columns that are not imported: ${ignoredColumns.join(', ')}`]
  const verb = written ? '' : 'would be '
  const counts = `${created} ${verb}created, ${updated} ${verb}updated, ${unchanged} unchanged`
  const errors = report.errors.map(
    ({ row, column, message }) => `Row ${row}${column === undefined ? '' : `, column ${column}`}: ${message}`,
  )
  if (failed > 0) {
    const advice = written
      ? ' The others were imported.'
      : ' Nothing was written. Correct them, or add --continue to import the other rows.'
    errors.push(`${failed} of ${report.rows} rows have errors.${dryRun ? '' : advice}`)
  }
  return { lines: [...(dryRun ? changes : []), ...notes, ...ignored, counts], errors }
}
