import { readFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Facts } from './database.ts'
import type { Measurement } from './load.ts'

const packages = ['fastify', 'graphql', 'graphql-yoga', '@pothos/core', '@prisma/client', 'pg', '@electric-sql/pglite']

export function machine(database: string, { version, rows, seconds }: Facts): string {
  const [processor] = cpus()
  const counts = Object.entries(rows).map(([table, number]) => `${number} ${table}`)
  return [
    `machine   ${cpus().length} × ${processor?.model.trim() || 'unknown processor'}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
    `node      ${process.version}`,
    `packages  ${packages.map((name) => `${name} ${versionOf(name)}`).join(', ')}`,
    `database  ${database} ${version}`,
    `rows      ${counts.join(', ')}`,
    `filled    ${seconds === undefined ? 'before' : `in ${seconds.toFixed(1)} s, ${Math.round(rows.event / seconds)} events per second`}`,
  ].join('\n')
}

function versionOf(name: string): string {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

export function table(measured: readonly Measurement[]): string {
  const head = ['requests per second', 'median', 'min–max', 'p50 ms', 'p99 ms', 'bytes', 'failed']
  const rows = measured.map(({ name, bytes, perSecond, p50, p99, failed }) => [
    name,
    short(median(perSecond)),
    range(perSecond, short),
    short(median(p50)),
    short(median(p99)),
    String(bytes),
    String(failed),
  ])
  return aligned([head, ...rows])
}

export interface Comparison {
  readonly of: string
  readonly to: string
  /** Minimum ratio. */
  readonly target?: number
}

/** Ratios of requests per second between two targets: the median of all rounds. */
export function ratios(measured: readonly Measurement[], comparisons: readonly Comparison[]): string {
  const rounds = (name: string) => measured.find((target) => target.name === name)?.perSecond ?? []
  const rows = comparisons.map(({ of, to, target }) => {
    const denominators = rounds(to)
    const each = rounds(of).map((rate, round) => rate / (denominators[round] ?? Number.NaN))
    const goal = target === undefined ? '' : `at least ${target}`
    return [`${of} / ${to}`, median(each).toFixed(2), range(each, (ratio) => ratio.toFixed(2)), goal]
  })
  return aligned([['ratio', 'median', 'min–max', 'target'], ...rows])
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}

export const range = (numbers: readonly number[], text: (number: number) => string) =>
  `${text(Math.min(...numbers))}–${text(Math.max(...numbers))}`

export const short = (number: number) => (number < 10 ? number.toFixed(1) : String(Math.round(number)))

/** A text table: first column left-aligned, others right-aligned. */
export function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((row) => row.map(pad).join('  ')).join('\n')
}
