// The edits that a document describes: each block of code, with the file that the sentence before it names.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Edit {
  readonly line: number
  readonly file: string
  /** Undefined for a new file, and at the end of one. */
  readonly anchor: string | undefined
  readonly place: 'new file' | 'end' | 'below' | 'above'
  readonly code: string
}

const fence = /^```(\w+)\n(.*?)^```$/gms

const sentences = {
  'new file': /create `(?<file>[^`]+)`:$/i,
  end: /at the end of `(?<file>[^`]+)`:$/i,
  below: /in `(?<file>[^`]+)`, below `(?<anchor>[^`]+)`:$/i,
  above: /in `(?<file>[^`]+)`, above `(?<anchor>[^`]+)`:$/i,
} as const

/** All blocks but those of commands. Throws for one that no sentence says the place of. */
export function readEdits(document: string): Edit[] {
  const text = readFileSync(document, 'utf8')
  return [...text.matchAll(fence)].flatMap(({ index, 1: language, 2: code = '' }) => {
    if (language === 'sh') return []
    const before = text.slice(0, index)
    const line = before.split('\n').length
    for (const [place, sentence] of Object.entries(sentences)) {
      const { file, anchor } = sentence.exec(before.trimEnd())?.groups ?? {}
      if (file !== undefined) return [{ line, file, anchor, place: place as Edit['place'], code }]
    }
    throw new Error(`${document}:${line}: no sentence says where this block goes.`)
  })
}

/** The blocks of commands. */
export const readCommands = (document: string): string[] =>
  [...readFileSync(document, 'utf8').matchAll(fence)].flatMap(({ 1: language, 2: code = '' }) =>
    language === 'sh' ? [code] : [],
  )

/** Places of the lines that an anchor names. */
const anchored = (lines: readonly string[], anchor: string): number[] =>
  lines.flatMap((line, index) => (line.includes(anchor) ? [index] : []))

/** Applies an edit to the files of a folder. Throws when its anchor is not on exactly one line. */
export function applyEdit(folder: string, { file, anchor, place, code, line }: Edit): void {
  const path = join(folder, file)
  if (place === 'new file') {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code, { flag: 'wx' })
    return
  }
  if (anchor === undefined) {
    appendFileSync(path, `\n${code}`)
    return
  }
  const lines = readFileSync(path, 'utf8').split('\n')
  const [index, ...others] = anchored(lines, anchor)
  if (index === undefined || others.length > 0) {
    throw new Error(
      `Line ${line}: ${file} has \`${anchor}\` on ${others.length + (index === undefined ? 0 : 1)} lines.`,
    )
  }
  lines.splice(place === 'below' ? index + 1 : index, 0, code.replace(/\n$/, ''))
  writeFileSync(path, lines.join('\n'))
}
