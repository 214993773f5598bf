// Rows that are dates of a series: some columns change only the date, others all dates of the series.
import type { SheetEventFragment } from '../../generated/graphql/graphql.ts'
import type { SheetRow } from './rows.ts'

const ownColumns = new Set(
  'id modified series rule start end hidden event_status attendance online_url date_label date_note'.split(' '),
)
const fixedColumns = new Set(['uid', 'time_zone', 'all_day'])

/** Whether a cell is only about this date. A date in the trash leaves its series. */
const isOwn = (column: string, cell: string | undefined) =>
  ownColumns.has(column) || (column === 'status' && cell?.trim().toLowerCase() === 'trash')

export type SeriesRows = ReturnType<typeof createSeriesRows>
export type DateOfSeries = NonNullable<ReturnType<SeriesRows['open']>>

/** Returns what an import knows about the series in its file. */
export function createSeriesRows() {
  const cellsOfSeries = new Map<number, Map<string, { readonly row: number; readonly cell: string }>>()
  const written = new Set<number>()
  return {
    /** Undefined for an event that is no date of a series, or is to leave it. Adds cells that differ from an earlier row to the problems. */
    open(row: SheetRow, current: SheetEventFragment | undefined) {
      const id = current?.series?.id
      if (id === undefined || row.cells.get('series')?.trim() === '') return undefined
      const cells = cellsOfSeries.get(id) ?? new Map<string, { readonly row: number; readonly cell: string }>()
      cellsOfSeries.set(id, cells)
      for (const [column, cell] of row.cells) {
        if (isOwn(column, cell) || fixedColumns.has(column)) continue
        const first = cells.get(column)
        if (!first) cells.set(column, { row: row.number, cell })
        else if (first.cell !== cell) {
          const message = `Row ${first.row} is a date of the same series, and has another value. Write the same in all rows of the series, or empty the cell series to make this date an event of its own.`
          row.problems.push({ column, message })
        }
      }
      return {
        /** Whether an earlier row changed the series, whose dates have another time of modification since. */
        isWritten: written.has(id),
        /** Divides the changes of the row into those of the date and those of the series. */
        split: <Change extends { readonly column: string }>(changes: readonly Change[]) => {
          for (const { column } of changes) {
            const message =
              'All dates of the series have the same value. Change it with the mutation updateEventSeries.'
            if (fixedColumns.has(column)) row.problems.push({ column, message })
          }
          const [own = [], common = []] = [true, false].map((of) =>
            changes.filter(({ column }) => isOwn(column, row.cells.get(column)) === of),
          )
          return { own, common: written.has(id) ? [] : common }
        },
        setWritten: () => void written.add(id),
      }
    },
  }
}
