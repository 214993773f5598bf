// Output of commands: lines, or one JSON document with --json.
import { contentTables } from './transfer/tables.ts'

export interface Output {
  readonly json?: true
}

/** `toStderr` is for exports to stdout. */
export function print({ json }: Output, document: unknown, lines: readonly string[], toStderr = false): void {
  const text = json ? printable(JSON.stringify(document)) : lines.map(onOneLine).join('\n')
  if (toStderr) console.error(text)
  else console.log(text)
}

const onOneLine = (line: string) => printable(line).replaceAll('\n', '\\n')

export const printError = (text: string): void => console.error(printable(text))

/**
 * Files and sites could contain terminal escape sequences, and characters that change the order of those around them. They
 * become JavaScript escapes, which are valid in JSON, too.
 */
const printable = (text: string) =>
  text.replace(
    /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Lines of a table with aligned columns. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** For example `401 events, 1 tag`. */
export const formatRowCounts = (rows: Readonly<Record<string, number>>): string =>
  Object.entries(rows)
    .map(([name, count]) => `${count} ${count === 1 ? name : contentTables[name]}`)
    .join(', ')
