// The file that export writes and import reads: a header, then a line per row, `{"<table>":{<column>:<value>,…}}`.
import { z } from 'zod'

const format = 'event-calendar-gateway export'
const version = 1

const headerShape = z.object({
  createdAt: z.string(),
  /** Whether users can sign in with what the file holds. */
  accounts: z.boolean(),
  languages: z.array(z.string()),
  defaultLanguage: z.string(),
  textRules: z.int(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })),
  sequences: z.record(z.string(), z.object({ last: z.int(), called: z.boolean() })),
  /** Files of images, beside it or in its last lines. */
  images: z.int(),
  /** Whether the files of images are in its last lines. */
  imagesInside: z.boolean().default(false),
  /** Files that records name and that were not there. */
  missingImages: z.array(z.string()),
})

export type Header = z.output<typeof headerShape>

export const headerLine = (header: Header): string => `${JSON.stringify({ format, version, ...header })}\n`

/** Throws with a sentence for whoever gave the wrong file. */
export function readHeader(text: string | undefined): Header {
  const given = parse(text ?? '')
  if (given?.format !== format) throw new Error('This is not a file that `export` wrote: its first line is no header.')
  if (given.version !== version) {
    throw new Error(`The file has version ${given.version}, and this is for version ${version}.`)
  }
  const { data, error } = headerShape.safeParse(given)
  if (data) return data
  throw new Error(`Line 1: the header is broken at ${error.issues.map(({ path }) => path.join('.')).join(', ')}.`)
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Where the files of images lie. */
export const imagesBeside = (file: string): string => `${file}.images`

export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** Bytes, its end included. */
  readonly size: number
}

const imageLineStart = '{"imageFile":'

export const imageLine = (name: string, bytes: Buffer): string =>
  `${imageLineStart}${JSON.stringify({ name, base64: bytes.toString('base64') })}}\n`

const imageShape = z.object({ imageFile: z.object({ name: z.string(), base64: z.base64() }) })

/** Undefined for a line that is a row of a table. */
export function readImageLine({ number, text }: Line): { name: string; bytes: Buffer } | undefined {
  if (!text.startsWith(imageLineStart)) return undefined
  const { data } = imageShape.safeParse(parse(text))
  if (!data) throw new Error(`Line ${number} is not a whole image.`)
  return { name: data.imageFile.name, bytes: Buffer.from(data.imageFile.base64, 'base64') }
}

/** Lines of a stream of any size. (Readers of the platform take U+2028 for the end of a line, too.) */
export async function* readLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Line, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let number = 0
  const line = (bytes: Buffer): Line => {
    number += 1
    try {
      return { number, text: decoder.decode(bytes), size: bytes.length + 1 }
    } catch (cause) {
      throw new Error(`Line ${number} is not UTF-8.`, { cause })
    }
  }
  let rest: Buffer[] = []
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield line(Buffer.concat([...rest, chunk.subarray(start, end)]))
      rest = []
      start = end + 1
    }
    rest.push(chunk.subarray(start))
  }
  const last = Buffer.concat(rest)
  if (last.length > 0) yield line(last)
  return undefined
}
