// Output of commands: lines, or one JSON document with --json.
import { contentTables } from './transfer/tables.ts'

export interface OutputOptions {
  readonly json?: true
}

/** Prints the lines; with --json the document. `toStderr`: for commands that write an export to stdout. */
export function print({ json }: OutputOptions, document: unknown, lines: readonly string[], toStderr = false): void {
  const text = json ? printable(JSON.stringify(document)) : lines.map(onOneLine).join('\n')
  if (toStderr) console.error(text)
  else console.log(text)
}

const onOneLine = (line: string) => printable(line).replaceAll('\n', '\\n')

export const printError = (text: string): void => console.error(printable(text))

/**
 * Replaces control characters and bidirectional control characters, which texts of files and sites may contain, by
 * JavaScript escapes, so that they do not control the terminal. The escapes are valid in JSON, too.
 */
const printable = (text: string) =>
  text.replace(
    /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Formats a table with aligned columns as lines. */
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

/** Formats counts by kind as text such as `401 events, 1 tag`. */
export const formatRowCounts = (rows: Readonly<Record<string, number>>): string =>
  Object.entries(rows)
    .map(([name, count]) => `${count} ${count === 1 ? name : contentTables[name]}`)
    .join(', ')
