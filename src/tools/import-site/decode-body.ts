// Decodes the bodies of responses whose headers do not say, or say wrongly, how they are compressed and encoded.
import { constants, gunzipSync } from 'node:zlib'

/** Undefined if the body has more than `maxBytes` after decompression. */
export function decodeBody(body: Buffer, contentType: string, maxBytes: number): string | undefined {
  const bytes = decompress(body, maxBytes)
  if (bytes === undefined) return undefined
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const decode = (part: Buffer) => tryDecode(utf8, part)
  const text = decode(bytes)
  if (text !== undefined) return text
  // A notice may have another encoding than the document.
  const other = decoderOf(contentType)
  const lines = bytes.toString('latin1').split('\n')
  return lines
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => decode(line) ?? other.decode(line))
    .join('\n')
}

/** Caches may send what they compressed without the header, or compressed twice. */
function decompress(body: Buffer, maxOutputLength: number): Buffer | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return gunzipSync(body, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : body
  }
}

function tryDecode(decoder: TextDecoder, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Windows-1252, which includes Latin-1, unless the site names another encoding than UTF-8. */
function decoderOf(contentType: string): TextDecoder {
  const name = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? ''
  try {
    return new TextDecoder(/^utf-?8$/i.test(name) ? 'windows-1252' : name)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
