// Zod schemas that accept the values of legacy sites: numbers as text and the reverse, `false` or `[]` for a missing value,
// HTML entities in names.
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { toPlainText } from '../../calendar/text/sanitize.ts'

/** Plain text on one line, without HTML tags and entities; empty if the value is neither text nor a number. */
export const lineSchema = z
  .union([z.string(), z.number()])
  .transform((value) => toPlainText(String(value), { decodeEntities: true }))
  .catch('')

/** HTML as the site sent it; undefined if the value is not text. */
export const htmlSchema = z.string().optional().catch(undefined)

/** The ID of a record; undefined if it is missing, zero or not an integer. */
export const idSchema = z
  .union([z.number(), z.string().trim().regex(/^\d+$/)])
  .transform(Number)
  .pipe(z.number().int().positive().max(Number.MAX_SAFE_INTEGER))
  .optional()
  .catch(undefined)

export const readItemId = (item: unknown) => idSchema.parse(Object(item).id)

/** A boolean, also as 0, 1 or text such as `yes`; undefined for any other value. */
export const flagSchema = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => String(value).trim())
  .pipe(z.stringbool({ truthy: ['1', 'true', 'yes', 'on'], falsy: ['', '0', 'false', 'no', 'off'] }))
  .optional()
  .catch(undefined)

/**
 * Derives an ID from a text, for a record without an ID on the site, or with an ID that another record has. The ID is always
 * the same for the same text, and negative, so that it differs from all IDs of the site.
 */
export const deriveId = (text: string): number => -1 - (crc32(text) >>> 1)

/** The ID of a record on the site, or a negative one from deriveId. */
export const recordIdSchema = z.union([z.number().int().negative(), idSchema])

export const coordinateSchema = z
  .union([z.number(), z.string().trim().min(1)])
  .transform(Number)
  .pipe(z.number().min(-180).max(180))
  .optional()
  .catch(undefined)

const dateTime = /^\s*(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?/

/** A local time as `YYYY-MM-DDTHH:MM:SS`; undefined if the date does not exist. */
export const wallClockSchema = z.string().transform(readWallClock).optional().catch(undefined)

function readWallClock(text: string): string | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = dateTime.exec(text) ?? []
  const value = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const date = new Date(`${value}Z`)
  // Date turns 30 February into a day in March: the comparison detects this. 0000-00-00 is an invalid Date.
  return Number.isNaN(date.getTime()) || !date.toISOString().startsWith(value) ? undefined : value
}

/** Returns the items of a list, which sites send as an array, one item, an object with numeric keys, or `false` for none. */
export function toItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return []
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : [value]
}

/** Whether the value is an empty text, list or object, `false`, zero or null. */
export function isEmptyFieldValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return !value || value === '0'
}
