// Coercers of the fields that writes take (contract b.3 to b.13). All accept what JSON and what a form can say.
import { decodeHTMLStrict } from 'entities'
import { z } from 'zod'
import { maxItems } from '../http/input-limits.ts'
import { stripTags } from '../strip-tags.ts'
import { isZone } from '../time.ts'
import { legacyStatuses } from './text.ts'

const asText = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)
const withoutNul = (text: string) => !text.includes('\0')

const text = z.preprocess(asText, z.string('text').refine(withoutNul, 'text without NUL'))

/** Tags go, entities are decoded: what is shown escaped comes back as it was. */
const plain = (html: string) => decodeHTMLStrict(stripTags(html))

/** Titles, names and slugs: never empty, nor "0", nor blank. */
export const title = text
  .refine((value) => value !== '0' && plain(value).trim() !== '', 'text that is not empty')
  .transform(plain)

/** Name of a venue or organizer: null is as good as absent, while in an event the same parameter removes its links. */
export const nameOrNull = z.preprocess((value) => value ?? undefined, title.optional())

/** Descriptions and excerpts of events. */
export const html = text.refine((value) => value !== '' && value !== '0', 'text that is not empty')

const emptyAsText = (value: unknown) =>
  value === null || value === false || (Array.isArray(value) && value.length === 0) ? '' : asText(value)

/** Text that may be emptied. */
export const htmlOrEmpty = z.preprocess(emptyAsText, z.string('text').refine(withoutNul, 'text without NUL'))

/** The same on one line, without markup. */
export const lineOrEmpty = htmlOrEmpty.transform(stripTags)

/** Descriptions of categories and tags. */
export const line = html.transform(stripTags)

export const urlOrEmpty = z.preprocess(
  emptyAsText,
  z
    .string('an absolute URL')
    .transform((value) => decodeHTMLStrict(value))
    .refine((value) => value === '' || isUrl(value), 'an absolute URL, or nothing'),
)

/** With a scheme that names a place: no link may run a script. */
const isUrl = (value: string): boolean =>
  URL.canParse(value) &&
  !/\s/.test(value) &&
  /^([a-z][a-z\d+.-]*:\/\/|mailto:|tel:)/i.test(value) &&
  !/^(javascript|vbscript|data):/i.test(value)

export const zone = text.refine((value) => value === '' || isZone(value), 'a time zone, such as Europe/Paris or UTC+2')

export const recordStatus = text.pipe(z.enum(legacyStatuses, legacyStatuses.join(', ')))

/** Contract b.4, second kind. */
export const lenientFlag = z
  .preprocess(asText, z.string('yes or no'))
  .transform((value) => /^(1|enable|enabled|on|y|yes|true)$/i.test(value))

const imageNeeded = 'the number of an image, or a URL'

/** Number of an image, its URL, a file that is sent along, or nothing, which removes it (QUIRK-14). */
export const image = z
  .preprocess(emptyAsText, z.union([z.string(imageNeeded), z.instanceof(File)], imageNeeded))
  .transform((value, context) => {
    if (typeof value !== 'string') return { imageFile: value }
    if (value === '' || value === '0') return { imageId: null }
    if (/^\d{1,9}$/.test(value)) return { imageId: Number(value) }
    if (/^https?:/i.test(value) && URL.canParse(value)) return { imageUrl: value }
    context.addIssue({ code: 'custom', message: 'the number of an image, or the URL of one' })
    return z.NEVER
  })

/** One entry, or several. */
export const costs = z.preprocess(
  (value) => (Array.isArray(value) ? value.map(asText) : value === '' ? [] : [asText(value)]),
  z.array(z.string('text').refine(withoutNul, 'text without NUL').transform(stripTags), 'a price, or a list of prices'),
)

const tooMany = `at most ${maxItems} at once`

const wholeNumber = /^\s*\d{1,10}\s*$/

/** Categories and tags of an event by number, slug or name; an empty list removes them all. */
export const terms = z.preprocess(
  (value) =>
    (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value])
      .map((item) => (typeof item === 'number' ? String(item) : item))
      .filter((item) => typeof item !== 'string' || item.trim() !== '')
      .slice(0, maxItems + 1),
  z
    .array(z.string('numbers, slugs or names').refine(withoutNul, 'text without NUL'))
    .max(maxItems, tooMany)
    .transform((items) =>
      items.map((item) => (number.test(item.trim()) ? { idIfThere: termId(item) } : { named: plain(item) })),
    ),
)

const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/** Every number is one of a term, not a name; that of none is passed over. */
const termId = (text: string): number => (wholeNumber.test(text) ? smallId(text) : 0)

/** A number that no record can have finds none. */
export const smallId = (text: string): number => Math.min(Number(text), 2_147_483_647)

const nothing: readonly unknown[] = ['', 0, '0', false, null]

/** Of an object that has nothing but null in it, no new record could be made. */
const isEmptyLink = (value: unknown): boolean =>
  nothing.includes(value) ||
  (Array.isArray(value) && value.every(isEmptyLink)) ||
  (isRecord(value) && Object.values(value).every((field) => field === null))

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File)

const withoutNulls = (value: unknown) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value

/**
 * Venues or organizers of an event in every form of contract b.12: a number, a CSV of numbers, an object with `id` or
 * with the fields of a new record, and lists of these; empty removes them all. `create` reads the fields.
 */
export function links<Create>(create: z.ZodType<Create>, expected: string) {
  const id = z
    .union([z.int().min(1), z.string().regex(wholeNumber)])
    .transform((value) => ({ id: smallId(String(value)) }))
  const byId = z.object({ id }).transform((value) => value.id)
  const fields = z.preprocess(withoutNulls, create)
  const item = z.union([id, byId, fields.transform((value) => ({ create: value }))], expected)
  return z.preprocess(
    (value) => {
      if (isEmptyLink(value)) return []
      const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
      return items.filter((each) => !isEmptyLink(each)).slice(0, maxItems + 1)
    },
    z.array(item, expected).max(maxItems, tooMany),
  )
}
