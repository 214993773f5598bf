// The command blocks of a document, and what it shows as their output.
import { readFileSync } from 'node:fs'

export interface Block {
  readonly file: string
  readonly line: number
  readonly commands: string
  /** Undefined where the document shows none. */
  readonly output: string | undefined
}

const fence = /^```(\w*)\n(.*?)^```$/gms

/** Each `sh` block, with the block that follows it without a word between them. */
export function readBlocks(file: string): Block[] {
  const text = readFileSync(file, 'utf8')
  const fences = [...text.matchAll(fence)]
  const outputs = new Set<number>()
  const blocks = fences.flatMap((match, index) => {
    const [whole, language, commands = ''] = match
    if (language !== 'sh') return []
    const next = fences[index + 1]
    const end = match.index + whole.length
    const isOutput = next !== undefined && next[1] !== 'sh' && text.slice(end, next.index).trim() === ''
    if (isOutput) outputs.add(index + 1)
    const line = text.slice(0, match.index).split('\n').length
    return [{ file, line, commands, output: isOutput ? next[2] : undefined }]
  })
  for (const [index, match] of fences.entries()) {
    if (match[1] === 'sh' || outputs.has(index)) continue
    throw new Error(`${file}: a block is neither commands nor their output: ${match[0].slice(0, 80)}`)
  }
  return blocks
}

/** What is another in each run is written as one: secrets, and the last digits of what was computed. */
export const masked = (text: string): string =>
  text
    .replace(/(?<![\w-])[a-zA-Z0-9]{43}(?![\w-])/g, '<secret>')
    .replace(/\d+\.\d{7,}/g, (number) => Number(number).toFixed(6))
    .trim()
