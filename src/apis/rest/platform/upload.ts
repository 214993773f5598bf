// Reads an uploaded file: a multipart body with the part `file`, or the file itself as the body.
import type { FastifyRequest } from 'fastify'
import type { BodyLimits } from '../../../service/http/upload-limits.ts'
import { readBodyParams, readFileBody } from '../body.ts'
import { LegacyError } from '../errors.ts'

/** Returns the parameters with the file. Without a file, throws the errors that clients of the legacy platform know. */
export async function readUploadParams(
  request: FastifyRequest,
  limits: BodyLimits,
): Promise<Readonly<Record<string, unknown>>> {
  if (request.isMultipart()) {
    const params = await readBodyParams(request, limits)
    if (params.file instanceof File) return params
    throw noData()
  }
  const { headers } = request
  const body = await readFileBody(request, limits)
  if (body === undefined || body.length === 0) throw noData()
  if (headers['content-type'] === undefined) {
    throw uploadError('no_content_type', 'Send the media type of the file in the header Content-Type.')
  }
  const disposition = headers['content-disposition']
  if (disposition === undefined) {
    throw uploadError('no_content_disposition', `Send the name of the file in a header: ${dispositionExample}.`)
  }
  const name = fileNameIn(disposition)
  if (name === '') throw uploadError('invalid_disposition', `Send the name of the file as in ${dispositionExample}.`)
  return { file: new File([Uint8Array.from(body)], name) }
}

const dispositionExample = 'Content-Disposition: attachment; filename="image.png"'

const uploadError = (code: string, message: string) => new LegacyError(400, `rest_upload_${code}`, message)

const noData = () =>
  uploadError('no_data', 'Send the file as the part `file` of a multipart body, or as the body with its media type.')

/** The parameter `filename*` (UTF-8), or else `filename` (RFC 6266). Clients may send its UTF-8 bytes without encoding. */
function fileNameIn(disposition: string): string {
  const [, encoded] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(disposition) ?? []
  const [, quoted, bare] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition) ?? []
  const plain = quoted?.replace(/\\(.)/g, '$1') ?? bare ?? ''
  const name = (encoded === undefined ? undefined : decoded(encoded)) ?? utf8(plain)
  return name.split(/[\\/]/).at(-1) ?? ''
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Decodes a header as UTF-8. Node.js has decoded its bytes as Latin-1. */
function utf8(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
