// Opens the file that an import reads.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CsvOptions, readCsv } from './csv.ts'
import { readJsonRows, type SourceRow } from './json-rows.ts'

/** Bytes of a file. */
const maxSize = 1_000_000_000

/** Runs `work` with a file. `-` stands for `stdin`, which is copied to a temporary file, because imports read it twice. */
export async function withFile<Result>(
  file: string,
  stdin: Readable,
  work: (file: string, size: number) => Promise<Result>,
): Promise<Result> {
  if (file !== '-') return work(file, await sizeOf(file))
  const folder = await mkdtemp(join(tmpdir(), 'calendar-import-'))
  try {
    const copy = join(folder, 'stdin')
    const limited = counted(stdin, (bytes) => {
      if (bytes > maxSize) throw tooLarge()
    })
    await pipeline(limited, createWriteStream(copy, { mode: 0o600 }))
    return await work(copy, await sizeOf(copy))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const tooLarge = () => new Error('The file is larger than 1 GB. Split it.')

async function sizeOf(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined)
  if (!stats) throw new Error(`The file ${file} does not exist.`)
  if (!stats.isFile()) throw new Error(`${file} is not a file.`)
  if (stats.size > maxSize) throw tooLarge()
  return stats.size
}

/** The chunks of a stream. `onBytes` is called with the number of bytes up to the end of each. */
async function* counted(stream: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    onBytes(bytes)
    yield chunk
  }
}

export interface ImportSource {
  readonly size: number
  /**
   * Reads the file from its start. `onProgress` is called with the bytes that were read, and `checkHeadings` with the
   * headings, unless the rows have names themselves.
   */
  rows(
    onProgress: (bytes: number) => void,
    checkHeadings: (headings: readonly string[]) => void,
  ): AsyncIterable<SourceRow>
}

export const jsonSource = (file: string, size: number, path: string | undefined): ImportSource => ({
  size,
  rows: (onProgress) => readJsonRows(() => counted(createReadStream(file), onProgress), path),
})

export const csvSource = (file: string, size: number, options: CsvOptions): ImportSource => ({
  size,
  rows: async function* (onProgress, checkHeadings) {
    let names: readonly string[] | undefined
    for await (const { number, cells } of readCsv(counted(createReadStream(file), onProgress), options)) {
      if (!names) {
        names = namesOf(cells)
        checkHeadings(names)
        continue
      }
      const width = names.length
      if (cells.length < width || cells.slice(width).some((cell) => cell !== '')) {
        throw new Error(
          `Row ${number} has ${cells.length} cells, but the first row has ${width}. Check its quotes and delimiters.`,
        )
      }
      const named = names.map((name, index) => [name, cells[index] ?? ''] as const)
      yield { number, cells: new Map(named.filter(([name]) => name !== '')) }
    }
    if (!names) throw new Error('The file is empty. Its first row must contain the names of the columns.')
  },
})

/** Columns without a name at the end come from delimiters that some programs write there. */
function namesOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1)
}
