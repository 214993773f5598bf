// Decodes a file: by its byte order mark, or else as UTF-8. Errors name the encoding that the file seems to have.
import { isUtf8 } from 'node:buffer'

/** The first bytes of .xlsx, .ods and .xls files, in hexadecimal. */
const binary = ['504b0304', 'd0cf11e0']

/** Decodes a file. Throws if bytes are invalid in the encoding. `advice(name)` says how to choose the encoding `name`. */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
  advice = (name: string) => `Add --encoding ${name}, or save it as UTF-8.`,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let line = 1
  for await (const chunk of bytes) {
    if (!decoder) {
      if (binary.includes(Buffer.from(chunk.subarray(0, 4)).toString('hex'))) {
        throw new Error('The file is a workbook of a spreadsheet program, not CSV. Save it there as CSV in UTF-8.')
      }
      decoder = new TextDecoder(encoding ?? encodingOf(chunk), { fatal: true })
      checkChoice(decoder, chunk)
    }
    checkNotUtf8(decoder, chunk)
    const guess = () =>
      decoder?.encoding === 'utf-8' ? describeGuess(Buffer.from(chunk), line, advice) : advice('latin1')
    const text = attempt(decoder, chunk, guess)
    line += text.split('\n').length - 1
    yield text
  }
  if (decoder) yield attempt(decoder, undefined, () => advice('latin1'))
}

function attempt(decoder: TextDecoder, chunk: Uint8Array | undefined, guess: () => string): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause
    const end = chunk ? '' : ': its end is missing'
    throw new Error(`The file is not in the encoding ${decoder.encoding}${end}. ${guess()}`, { cause })
  }
}

/** Returns the encoding by the byte order mark, or UTF-16 if one of the first two bytes is zero, or else UTF-8. */
function encodingOf([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : 'utf-8'
}

function checkChoice({ encoding }: TextDecoder, chunk: Uint8Array): void {
  const found = encodingOf(chunk)
  const isRight = encoding.startsWith('utf-16')
    ? chunk.includes(0) && (found === encoding || found === 'utf-8')
    : found === 'utf-8'
  if (isRight || chunk.length === 0) return
  throw new Error(`The file is not in the encoding ${encoding}; it looks like ${found}. Leave out --encoding.`)
}

function checkNotUtf8({ encoding }: TextDecoder, chunk: Uint8Array): void {
  // Only whole lines, because a character may continue in the next chunk.
  const complete = chunk.subarray(0, chunk.lastIndexOf(0x0a) + 1)
  if (encoding.startsWith('utf-') || !isUtf8(complete) || complete.every((byte) => byte < 0x80)) return
  throw new Error(`The file is UTF-8, not ${encoding}. Leave out --encoding.`)
}

/** Letters and punctuation of western languages: many of them mean that a guessed encoding is right. */
const common = /[àâäáãåæçéèêëíìîïñóòôöõøœúùûüßÀÂÄÁÇÉÈÊËÍÎÑÓÔÖÚÜŒ¿¡«»’‘“”–—…€°ºª]/g

function describeGuess(chunk: Buffer, line: number, advice: (name: string) => string): string {
  const lines = chunk.toString('latin1').split('\n')
  const index = lines.findIndex((text) => !isUtf8(Buffer.from(text, 'latin1')))
  const bytes = Buffer.from(lines[index] ?? '', 'latin1')
  const where = `line ${line + Math.max(index, 0)}`
  const utf8 = chunk.toString('utf8')
  // A few replacement characters do not count: a chunk may begin or end within a character.
  const broken = utf8.match(/\ufffd/g)?.length ?? 0
  if ((utf8.match(/[\u0080-\ufffc]/g)?.length ?? 0) > broken) {
    return `It looks like UTF-8 with errors, the first in ${where}: ${quote(bytes.toString('utf8'))}. Correct it there.`
  }
  const guesses = [
    { label: 'Windows-1252', name: 'latin1', decoder: new TextDecoder('windows-1252') },
    { label: 'Mac OS Roman', name: 'macintosh', decoder: new TextDecoder('macintosh') },
  ]
  const scoreOf = ({ decoder }: { readonly decoder: TextDecoder }) => decoder.decode(chunk).match(common)?.length ?? 0
  const { label, name, decoder } = guesses.reduce((best, next) => (scoreOf(next) > scoreOf(best) ? next : best))
  return `It looks like ${label}, in which ${where} is ${quote(decoder.decode(bytes))}. ${advice(name)}`
}

const quote = (text: string): string => {
  const start = Math.max(0, text.search(/[^\x20-\x7e]/) - 30)
  return JSON.stringify(text.slice(start, start + 60).trim())
}
