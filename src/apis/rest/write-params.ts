// Zod schemas of body parameters (contract b.3 to b.13). They accept JSON values and form values.
import { decodeHTMLStrict } from 'entities'
import { z } from 'zod'
import { maxItems } from '../../basics/input-limits.ts'
import { stripTags } from '../../basics/strip-tags.ts'
import { isZone } from '../../basics/time.ts'
import { isNumeric } from './params.ts'
import { legacyStatuses } from './text.ts'

const asText = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)
const textWithoutNul = (expected = 'text') =>
  z.string(expected).refine((text) => !text.includes('\0'), 'text without NUL')

const text = z.preprocess(asText, textWithoutNul())

/** Removes tags and decodes entities, the inverse of the escaping in responses. */
const plain = (html: string) => decodeHTMLStrict(stripTags(html))

/** Titles, names and slugs. Rejects empty and blank text and "0". */
export const titleParam = text
  .refine((value) => value !== '0' && plain(value).trim() !== '', 'text that is not empty')
  .transform(plain)

/** Name of a venue or organizer. Null counts as absent; in an event the same parameter removes links. */
export const nameOrNullParam = z.preprocess((value) => value ?? undefined, titleParam.optional())

export const htmlParam = text.refine((value) => value !== '' && value !== '0', 'text that is not empty')

const emptyAsText = (value: unknown) =>
  value === null || value === false || (Array.isArray(value) && value.length === 0) ? '' : asText(value)

export const htmlOrEmptyParam = z.preprocess(emptyAsText, textWithoutNul())

export const lineOrEmptyParam = htmlOrEmptyParam.transform(stripTags)

export const lineParam = htmlParam.transform(stripTags)

const webFormat = 'an http or https URL, or an empty value'
const absoluteUrl = z.string('an absolute URL')

export const urlOrEmptyParam = z.preprocess(
  emptyAsText,
  absoluteUrl
    .transform((value) => decodeHTMLStrict(value))
    .refine((value) => value === '' || isUrl(value), 'an absolute URL, or an empty value'),
)

/** URL of a web page, or an empty value. Unlike other URLs it has no entities, neither in responses nor in requests. */
export const webUrlOrEmptyParam = z.preprocess(
  emptyAsText,
  absoluteUrl.refine((value) => value === '' || (/^https?:\/\//i.test(value) && isUrl(value)), webFormat),
)

/** Whether the value is a URL whose scheme cannot run a script. */
const isUrl = (value: string): boolean =>
  URL.canParse(value) &&
  !/\s/.test(value) &&
  /^([a-z][a-z\d+.-]*:\/\/|mailto:|tel:)/i.test(value) &&
  !/^(javascript|vbscript|data):/i.test(value)

export const timeZoneParam = text.refine(
  (value) => value === '' || isZone(value),
  'a time zone, such as Europe/Paris or UTC+2',
)

export const statusParam = text.pipe(z.enum(legacyStatuses, legacyStatuses.join(', ')))

const imageFormat = 'the ID or the URL of an image'

/** ID of an image, its URL, an uploaded file, or an empty value, which removes the image (QUIRK-14). */
export const imageParam = z
  .preprocess(emptyAsText, z.union([z.string(imageFormat), z.instanceof(File)], imageFormat))
  .transform((value, context) => {
    if (typeof value !== 'string') return { imageFile: value }
    if (value === '' || value === '0') return { imageId: null }
    if (/^\d{1,9}$/.test(value)) return { imageId: Number(value) }
    if (/^https?:/i.test(value) && URL.canParse(value)) return { imageUrl: value }
    context.addIssue({ code: 'custom', message: imageFormat })
    return z.NEVER
  })

export const costsParam = z.preprocess(
  (value) => (Array.isArray(value) ? value.map(asText) : value === '' ? [] : [asText(value)]),
  z.array(textWithoutNul(), 'a price, or a list of prices'),
)

const tooManyItems = `at most ${maxItems} items`

const wholeNumber = /^\s*\d{1,10}\s*$/

/** Categories or tags of an event by ID, slug or name. An empty list removes all. */
export const termsParam = z.preprocess(
  (value) =>
    (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value])
      .map((item) => (typeof item === 'number' ? String(item) : item))
      .filter((item) => typeof item !== 'string' || item.trim() !== '')
      .slice(0, maxItems + 1),
  z
    .array(textWithoutNul('IDs, slugs or names'))
    .max(maxItems, tooManyItems)
    .transform((items) =>
      items.map((item) => (isNumeric(item) ? { idIfExists: termId(item) } : { nameOrSlug: plain(item) })),
    ),
)

/** Numeric items are IDs, not names. IDs out of range become 0, which no term has. */
const termId = (text: string): number => (wholeNumber.test(text) ? clampId(text) : 0)

/** Limits an ID to the largest 32-bit integer, which no record has as ID. */
export const clampId = (text: string): number => Math.min(Number(text), 2_147_483_647)

const emptyValues: readonly unknown[] = ['', 0, '0', false, null]

/** Whether the value stands for no venue or organizer: null, empty text, or an object with only null values. */
const isEmptyLink = (value: unknown): boolean =>
  emptyValues.includes(value) ||
  (Array.isArray(value) && value.every(isEmptyLink)) ||
  (isRecord(value) && Object.values(value).every((field) => field === null))

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof File)

const withoutNulls = (value: unknown) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value

/** Venues or organizers of an event (contract b.12): IDs, objects with `id` or the fields of a new record, and lists of these. */
export function createLinksParam<Create>(create: z.ZodType<Create>, expected: string) {
  const id = z
    .union([z.int().min(1), z.string().regex(wholeNumber)])
    .transform((value) => ({ id: clampId(String(value)) }))
  const byId = z.object({ id }).transform((value) => value.id)
  const fields = z.preprocess(withoutNulls, create)
  const item = z.union([id, byId, fields.transform((value) => ({ create: value }))], expected)
  return z.preprocess(
    (value) => {
      if (isEmptyLink(value)) return []
      const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
      return items.filter((each) => !isEmptyLink(each)).slice(0, maxItems + 1)
    },
    z.array(item, expected).max(maxItems, tooManyItems),
  )
}
