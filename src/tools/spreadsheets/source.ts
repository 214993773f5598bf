// Opens the file that an import reads.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CsvOptions, readCsv } from './csv.ts'
import type { ImportSource } from './import-rows.ts'
import { readJsonRows } from './json-rows.ts'

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
    await pipeline(stdin, limited(), createWriteStream(copy, { mode: 0o600 }))
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

function limited(): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Buffer, _, callback) {
      size += chunk.length
      if (size > maxSize) callback(tooLarge())
      else callback(null, chunk)
    },
  })
}

export function csvSource(file: string, size: number, options: CsvOptions): ImportSource {
  const open = (onProgress: (bytes: number) => void) => readCsv(counted(createReadStream(file), onProgress), options)
  const headings = async () => {
    const rows = open(() => {})
    try {
      const { value } = await rows.next()
      if (!value) throw new Error('The file is empty. Its first row must contain the names of the columns.')
      return namesOf(value.cells)
    } finally {
      await rows.return(undefined)
    }
  }
  const rows: ImportSource['rows'] = async function* (onProgress) {
    let names: readonly string[] | undefined
    for await (const { number, cells } of open(onProgress)) {
      if (!names) {
        names = namesOf(cells)
        continue
      }
      const width = names.length
      if (cells.length < width || cells.slice(width).some((cell) => cell !== '')) {
        throw new Error(
          `Row ${number} has ${cells.length} cells, but the first row has ${width}. Check its quotes and delimiters.`,
        )
      }
      yield {
        number,
        cells: new Map(names.flatMap((name, index) => (name === '' ? [] : [[name, cells[index] ?? '']]))),
      }
    }
  }
  return { headings, rows, size }
}

/** Columns without a name at the end come from delimiters that some programs write there. */
function namesOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  while (names.at(-1) === '') names.pop()
  return names
}

export function jsonSource(file: string, size: number, path: string | undefined): ImportSource {
  return { rows: (onProgress) => readJsonRows(() => counting(createReadStream(file), onProgress), path), size }
}

function counting(stream: Readable, onProgress: (bytes: number) => void): Readable {
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    onProgress(bytes)
  })
  return stream.pause()
}

async function* counted(stream: AsyncIterable<Uint8Array>, onProgress: (bytes: number) => void) {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    onProgress(bytes)
    yield chunk
  }
}
