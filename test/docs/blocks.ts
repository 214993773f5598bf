// The fenced blocks of a document, and what it shows as the output of its commands.
import { globSync, readFileSync } from 'node:fs'

export interface Block {
  readonly file: string
  /** Line of its first fence. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** Of commands: the block that follows without a word between them. Undefined where the document shows none. */
  readonly output: string | undefined
}

/** Every page of the documentation. */
export const documents: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('{docs,src}/**/*.md').sort(),
  'examples/spa/README.md',
]

const fence = /^```(\w*)\n(.*?)^```$/gms

/** All blocks but the outputs of commands, which belong to theirs. */
export function readBlocks(file: string): Block[] {
  const text = readFileSync(file, 'utf8')
  const fences = [...text.matchAll(fence)]
  const outputs = new Set<number>()
  return fences.flatMap((match, index) => {
    if (outputs.has(index)) return []
    const [whole, language = '', content = ''] = match
    const next = fences[index + 1]
    const end = match.index + whole.length
    const hasOutput =
      language === 'sh' && next !== undefined && next[1] !== 'sh' && text.slice(end, next.index).trim() === ''
    if (hasOutput) outputs.add(index + 1)
    const line = text.slice(0, match.index).split('\n').length
    return [{ file, line, language, text: content, output: hasOutput ? next[2] : undefined }]
  })
}

/** What is another in each run is written as one: secrets, and the last digits of what was computed. */
export const masked = (text: string): string =>
  text
    .replace(/(?<![\w-])[a-zA-Z0-9]{43}(?![\w-])/g, '<secret>')
    .replace(/\d+\.\d{7,}/g, (number) => Number(number).toFixed(6))
    .trim()
