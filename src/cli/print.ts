// What commands print: one JSON document for scripts, else lines for people. Errors go to stderr.
import { records } from './tables.ts'

export interface Output {
  readonly json?: true
}

/** The option of every command. */
export const json = ['--json', 'print one JSON document'] as const

/** `toStderr` where stdout carries the data itself. */
export function print({ json }: Output, document: unknown, lines: readonly string[], toStderr = false): void {
  const text = json ? JSON.stringify(document) : lines.join('\n')
  if (toStderr) console.error(text)
  else console.log(text)
}

/** Columns as wide as what is in them. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

interface Counted {
  readonly rows: Readonly<Record<string, number>>
}

/** Like `401 events, 1 tag`. */
export function countRows({ rows }: Counted): string {
  const parts = Object.entries(records).map(([name, plural]) => {
    const count = rows[name] ?? 0
    return `${count} ${count === 1 ? name : plural}`
  })
  return parts.reverse().join(', ')
}
