// The format of an export: one line with the header, then one line per row, `{"<table>":{<column>:<value>,…}}`.

import { z } from 'zod'
import { parseJson } from '../../basics/parse-json.ts'

const format = 'event-calendar-gateway export'
const version = 1

const headerShape = z.object({
  createdAt: z.string(),
  /** Whether the file contains accounts and credentials. */
  accounts: z.boolean(),
  languages: z.array(z.string()),
  defaultLanguage: z.string(),
  textRules: z.int(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.int() })),
  sequences: z.record(z.string(), z.object({ last: z.int(), called: z.boolean() })),
  /** The number of image files. */
  images: z.int(),
  /** Whether the image files are lines at the end of the file, instead of files in a folder. */
  imagesInside: z.boolean().default(false),
  /** Names of image files that records refer to, but that did not exist. */
  missingImages: z.array(z.string()),
})

export type ExportHeader = z.output<typeof headerShape>

export const formatHeader = (header: ExportHeader): string => `${JSON.stringify({ format, version, ...header })}\n`

/** Parses the first line. Throws if the file is not an export of this version. */
export function parseHeader(text: string | undefined): ExportHeader {
  const header = parseJsonObject(text ?? '')
  if (header?.format !== format)
    throw new Error('The file was not written by `export`: its first line is not a header.')
  if (header.version !== version) {
    throw new Error(`The file has format version ${header.version}, but this version reads only ${version}.`)
  }
  const { data, error } = headerShape.safeParse(header)
  if (data) return data
  throw new Error(
    `Line 1: the header has invalid fields: ${error.issues.map(({ path }) => path.join('.')).join(', ')}.`,
  )
}

/** Parses a JSON object; undefined if the text is not a JSON object. */
export function parseJsonObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

export const imageFolderOf = (file: string): string => `${file}.images`

export interface ExportLine {
  /** Line number, from 1. */
  readonly number: number
  readonly text: string
}

const imageLineStart = '{"imageFile":'

export const formatImageLine = (name: string, bytes: Buffer): string =>
  `${imageLineStart}${JSON.stringify({ name, base64: bytes.toString('base64') })}}\n`

const imageShape = z.object({ imageFile: z.object({ name: z.string(), base64: z.base64() }) })

/** Parses a line with an image file. Returns undefined for a line with the row of a table. */
export function parseImageLine({ number, text }: ExportLine): { name: string; bytes: Buffer } | undefined {
  if (!text.startsWith(imageLineStart)) return undefined
  const { data } = imageShape.safeParse(parseJsonObject(text))
  if (!data) throw new Error(`Line ${number}: the image is incomplete or not valid base64. Export the data again.`)
  return { name: data.imageFile.name, bytes: Buffer.from(data.imageFile.base64, 'base64') }
}
