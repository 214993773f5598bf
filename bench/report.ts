import { cpus, totalmem } from 'node:os'
import type { Facts } from './database.ts'
import type { Measured } from './drive.ts'

export function machine(database: string, { version, rows, seconds }: Facts): string {
  const [processor] = cpus()
  const counts = Object.entries(rows).map(([table, number]) => `${number} ${table}`)
  return [
    `machine   ${cpus().length} × ${processor?.model.trim() || 'unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    `node      ${process.version}`,
    `database  ${database} ${version}`,
    `rows      ${counts.join(', ')}`,
    `filled    ${seconds === undefined ? 'before' : `in ${seconds.toFixed(1)} s, ${Math.round(rows.event / seconds)} events a second`}`,
  ].join('\n')
}

export function table(measured: readonly Measured[]): string {
  const head = ['target', 'requests/s', 'min–max', 'p50 ms', 'p99 ms', 'bytes', 'non-2xx']
  const rows = measured.map(({ name, bytes, perSecond, p50, p99, non2xx }) => [
    name,
    short(median(perSecond)),
    `${short(Math.min(...perSecond))}–${short(Math.max(...perSecond))}`,
    short(median(p50)),
    short(median(p99)),
    String(bytes),
    String(non2xx),
  ])
  return aligned([head, ...rows])
}

/** How many requests a second one target answers for each of another. */
export function ratios(measured: readonly Measured[], pairs: readonly (readonly [string, string])[]): string {
  const rate = (name: string) => median(measured.find((target) => target.name === name)?.perSecond ?? [])
  return aligned(pairs.map(([of, to]) => [`${of} / ${to}`, (rate(of) / rate(to)).toFixed(3)]))
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}

export const short = (number: number) => (number < 10 ? number.toFixed(1) : String(Math.round(number)))

/** The first column to the left, the others to the right. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ')).join('\n')
}
