// Splits the bytes of an iCalendar file into content lines. Accepts what programs write against RFC 5545: other line ends,
// broken folding, and text that is not UTF-8.
import type { Reporter } from './report.ts'

/** An unfolded line, with the number of its first physical line in the file, from 1. */
export type ContentLine = ReturnType<typeof readContentLines>[number]

/** Bytes. Longer lines are embedded files, which are not imported. */
const maxLineBytes = 1024 ** 2

/** The start of a property: its name, then a colon, or a semicolon and the first parameter. */
const startOfProperty = /^[A-Za-z0-9-]+(?::|;[A-Za-z0-9-]+=)/

/** Splits a file into unfolded lines. Unfolds bytes before decoding, because some programs fold within a character. */
export function readContentLines(bytes: Buffer, reporter: Reporter) {
  const decode = createDecoder(reporter)
  const raw = toUtf8(bytes)
    .toString('latin1')
    .replace(/^\u00EF\u00BB\u00BF/, '')
    // Old versions of Mozilla's calendar fold a line directly after the name of the property.
    .replace(/^([A-Z-]+)((?:\r\n|\n|\r(?!\n))+)[ \t](?=[:;])/gm, (_, name: string, breaks: string) => breaks + name)
  const unfolded: { readonly number: number; readonly parts: string[]; size: number }[] = []
  let blank = 0
  for (const [index, line] of raw.split(/\r\n|\n|\r/).entries()) {
    const number = index + 1
    const current = unfolded.at(-1)
    if (line === '') blank += 1
    else if (current && /^[ \t]/.test(line)) add(current, line.slice(1))
    else if (startsLine(line, current?.parts[0])) unfolded.push({ number, parts: [line], size: line.length })
    else if (current && isText(current.parts[0])) {
      // An unescaped line break within a text or within a geo: URI: the line continues the previous property.
      const isWithinNumber = /geo:[\d.,-]*$/i.test(current.parts.at(-1) ?? '')
      add(current, isWithinNumber ? line : `${'\\n'.repeat(blank + 1)}${line}`)
    } else reporter.add(`Line ${number} is not a property and was not read: ${quoteForMessage(decode(line, number))}`)
    if (line !== '') blank = 0
  }
  return unfolded.flatMap(({ number, parts, size }) => {
    if (size <= maxLineBytes) return { number, text: decode(parts.join(''), number) }
    reporter.add(`Line ${number} has more than ${maxLineBytes} bytes and was not read.`)
    return []
  })
}

function add(current: { parts: string[]; size: number }, part: string): void {
  current.size += part.length
  // Parts of a line above the limit are dropped, to save memory.
  if (current.size <= maxLineBytes) current.parts.push(part)
}

/** Whether the line starts a property, unlike a continued text that begins with a word such as `Entry:`. */
function startsLine(line: string, before: string | undefined): boolean {
  if (!startOfProperty.test(line)) return false
  return !isText(before) || !/[a-z]/.test(line.slice(0, line.search(/[:;]/))) || notInTexts.test(line)
}

const notInTexts = /^((begin|end):v|(dtstart|dtend|dtstamp|rrule|exrule|rdate|exdate|recurrence-id|last-modified)[:;])/i

const isText = (line: string | undefined) =>
  line !== undefined &&
  /^(DESCRIPTION|SUMMARY|LOCATION|COMMENT|CONTACT|X-ALT-DESC|X-APPLE-STRUCTURED-LOCATION)[:;]/.test(line)

export const quoteForMessage = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

function toUtf8(bytes: Buffer): Buffer {
  const isLittleEndian = bytes[0] === 0xff && bytes[1] === 0xfe
  if (!isLittleEndian && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return bytes
  return Buffer.from(new TextDecoder(isLittleEndian ? 'utf-16le' : 'utf-16be').decode(bytes))
}

/** Decodes lines that are not UTF-8 as Windows-1252, which includes the printable characters of Latin-1. */
function createDecoder(reporter: Reporter) {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const windows = new TextDecoder('windows-1252')
  let isNoted = false
  return (latin1: string, number: number): string => {
    if (/^[\x20-\x7E\t]*$/.test(latin1)) return latin1
    const bytes = Buffer.from(latin1, 'latin1')
    try {
      return utf8.decode(bytes)
    } catch {
      if (!isNoted) reporter.add(`Line ${number} is not UTF-8. It and other such lines were read as Windows-1252.`)
      isNoted = true
      return windows.decode(bytes)
    }
  }
}
