// Request bodies in the encodings of contract b.1: JSON, forms and multipart forms.
import { randomUUID } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import type { BodyLimits } from '../../service/http/upload-limits.ts'
import { LegacyError } from './errors.ts'

const formType = 'application/x-www-form-urlencoded'

const fileType = /^(image\/|application\/octet-stream)/i

type Decode = (text: string) => unknown

const readForm = (text: string, decoder?: (text: string, decode: Decode) => unknown) =>
  qs.parse(text, { duplicates: 'last', parameterLimit: 2000, arrayLimit: 1000, ...(decoder && { decoder }) })

/** Registers parsers of JSON, forms (also without a content type) and multipart. `keepOthers`: other bodies stay bytes. */
export function registerBodyParsers(scope: FastifyInstance, { keepOthers }: { keepOthers: boolean }): void {
  scope.removeAllContentTypeParsers()
  scope.register(multipart, { limits: { fields: 2000, files: 10 } })
  const asString = { parseAs: 'string' } as const
  scope.addContentTypeParser(
    /^application\/([\w.-]+\+)?json\b/i,
    asString,
    async ({ is404 }: FastifyRequest, text: string) => (text === '' || is404 ? {} : parseJson(text)),
  )
  if (keepOthers) {
    // The upload route reads the file after it has checked that the user may upload.
    scope.addContentTypeParser(fileType, (_request, _payload, done) => done(null))
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => bytes)
    return
  }
  scope.addContentTypeParser(
    /^application\/x-www-form-urlencoded\b/i,
    asString,
    async (_request: unknown, text: string) => readForm(text),
  )
  scope.addContentTypeParser('*', asString, async ({ headers }: FastifyRequest, text: string) =>
    headers['content-type'] === undefined ? readForm(text) : {},
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const data = { json_error_code: 4, json_error_message: message }
    throw new LegacyError(400, 'rest_invalid_json', 'The body is not valid JSON.', data)
  }
}

/** Returns the parameters in the body. Values of file fields in a multipart body are File objects. */
export async function readBodyParams(
  request: FastifyRequest,
  limits: BodyLimits,
): Promise<Readonly<Record<string, unknown>>> {
  const body = request.isMultipart?.() ? await multipartParams(request, limits) : request.body
  if (Buffer.isBuffer(body)) {
    const { 'content-type': type = formType } = request.headers
    return type.toLowerCase().startsWith(formType) ? (readForm(body.toString()) as Record<string, unknown>) : {}
  }
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}
}

/** Reads the body as one file; undefined if the body was parsed already. Throws an error with status 413 above the limit. */
export async function readFileBody(request: FastifyRequest, limits: BodyLimits): Promise<Buffer | undefined> {
  const { body, headers, raw } = request
  if (!fileType.test(headers['content-type'] ?? '')) return Buffer.isBuffer(body) ? body : undefined
  const max = limits.files || limits.fields
  if (Number(headers['content-length'] ?? 0) > max) throw tooLarge(max)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > max) throw tooLarge(max)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

async function multipartParams(request: FastifyRequest, limits: BodyLimits): Promise<unknown> {
  const maxBytes = limits.fields + limits.files
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  const maxFiles = limits.files || limits.fields
  const pairs: string[] = []
  /** Files by placeholder text: qs parses bracketed names of texts only, so placeholders stand for files until then. */
  const files = new Map<string, File>()
  const sizes = { fields: 0, files: 0 }
  const count = (kind: keyof BodyLimits, bytes: number) => {
    const counted = limits.files === 0 ? 'fields' : kind
    sizes[counted] += bytes
    if (sizes[counted] > limits[counted]) throw tooLarge(limits[counted])
  }
  try {
    for await (const part of request.parts({ limits: { fileSize: maxFiles } })) {
      const { fieldname } = part
      let value: string
      if (part.type === 'file') {
        const bytes = await part.toBuffer()
        count('files', bytes.length)
        // Browsers send an empty part when no file was chosen.
        if (bytes.length === 0 && !part.filename) continue
        value = randomUUID()
        files.set(value, new File([Uint8Array.from(bytes)], part.filename))
      } else value = String(part.value)
      count('fields', Buffer.byteLength(fieldname) + Buffer.byteLength(value))
      pairs.push(`${encodeURIComponent(fieldname)}=${encodeURIComponent(value)}`)
    }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge(maxFiles)
    throw error instanceof LegacyError
      ? error
      : (toBodyError(error) ?? new LegacyError(400, 'rest_invalid_body', 'The multipart body cannot be parsed.'))
  }
  return readForm(pairs.join('&'), (text, decode) => files.get(text) ?? decode(text))
}

const tooLarge = (maxBytes: number) =>
  new LegacyError(413, 'rest_body_too_large', `The body has more than ${maxBytes} bytes.`)

export function toBodyError(error: unknown): LegacyError | undefined {
  const { statusCode = 500, message } = error as { statusCode?: number; message?: string }
  if (statusCode < 400 || statusCode >= 500) return undefined
  const code = statusCode === 413 ? 'rest_body_too_large' : 'rest_invalid_body'
  return new LegacyError(statusCode, code, `The body cannot be read. ${message}.`)
}
