// Reads the values of a legacy site leniently: numbers as text and the reverse, `false` or `[]` for nothing, entities in names.
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { plainText } from '../../calendar/text/sanitize.ts'

/** Plain text on one line, without tags and entities; empty if the value is not text. */
export const line = z
  .union([z.string(), z.number()])
  .transform((value) => plainText(String(value), { decodeEntities: true }))
  .catch('')

/** Undefined unless the value is text. */
export const html = z.string().optional().catch(undefined)

/** The ID of a record; undefined if it is missing, zero or not an integer. */
export const identifier = z
  .union([z.number(), z.string().trim().regex(/^\d+$/)])
  .transform(Number)
  .pipe(z.number().int().positive().max(Number.MAX_SAFE_INTEGER))
  .optional()
  .catch(undefined)

export const idOf = (item: unknown) => identifier.parse(Object(item).id)

/** Undefined unless the value is a boolean, in any spelling. */
export const flag = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => String(value).trim())
  .pipe(z.stringbool({ truthy: ['1', 'true', 'yes', 'on'], falsy: ['', '0', 'false', 'no', 'off'] }))
  .optional()
  .catch(undefined)

/**
 * An ID for a record that has none on the site, or one that means another record: always the same for the same text, and
 * negative, so that it is none of the site.
 */
export const deriveId = (text: string): number => -1 - (crc32(text) >>> 1)

/** The ID of a record, also an own one. */
export const recordId = z.union([z.number().int().negative(), identifier])

export const coordinate = z
  .union([z.number(), z.string().trim().min(1)])
  .transform(Number)
  .pipe(z.number().min(-180).max(180))
  .optional()
  .catch(undefined)

const dateTime = /^\s*(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?/

/** `YYYY-MM-DDTHH:MM:SS`; undefined unless the value is a date of the calendar. */
export const wallClock = z.string().transform(readWallClock).optional().catch(undefined)

function readWallClock(text: string): string | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = dateTime.exec(text) ?? []
  const value = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const date = new Date(`${value}Z`)
  // 30 February would roll over, and zero dates are not valid.
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(value) ? undefined : value
}

/** A list in each of its spellings: an array, one value, an object with numeric keys, `[]` or `false` for none. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return []
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : [value]
}

/** Whether the value says nothing: an empty text, list or object, `false`, zero or null. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return !value || value === '0'
}
