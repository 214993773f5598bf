// Coercers of the fields that writes take (contract b.3 to b.13). All accept what JSON and what a form can say.
import { decodeHTML } from 'entities'
import { z } from 'zod'
import { isZone } from '../time.ts'
import { legacyStatuses } from './text.ts'

const asText = (value: unknown) => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value)
const withoutNul = (text: string) => !text.includes('\0')

const text = z.preprocess(asText, z.string('text').refine(withoutNul, 'text without NUL'))

/** Tags go, entities are decoded: what is shown escaped comes back as it was. */
const plain = (html: string) => decodeHTML(html.replace(/<(script|style)\b[\s\S]*?<\/\1>|<\/?[a-z!][^>]*>/gi, ''))

/** Titles, names and slugs: never empty, nor "0", nor blank. */
export const title = text
  .refine((value) => value !== '0' && plain(value).trim() !== '', 'text that is not empty')
  .transform(plain)

/** Descriptions and excerpts of events. */
export const html = text.refine((value) => value !== '' && value !== '0', 'text that is not empty')

const emptyAsText = (value: unknown) =>
  value === null || value === false || (Array.isArray(value) && value.length === 0) ? '' : asText(value)

/** Text that may be emptied. */
export const htmlOrEmpty = z.preprocess(emptyAsText, z.string('text').refine(withoutNul, 'text without NUL'))

/** The same on one line, without markup. */
export const lineOrEmpty = htmlOrEmpty.transform((value) => value.replace(/<\/?[a-z!][^>]*>/gi, ''))

export const urlOrEmpty = z.preprocess(
  emptyAsText,
  z
    .string('an absolute URL')
    .transform((value) => decodeHTML(value))
    .refine((value) => value === '' || (URL.canParse(value) && !/\s/.test(value)), 'an absolute URL, or nothing'),
)

export const zone = text.refine((value) => value === '' || isZone(value), 'a time zone, such as Europe/Paris or UTC+2')

export const recordStatus = text.pipe(z.enum(legacyStatuses, legacyStatuses.join(', ')))

/** Contract b.4, second kind. */
export const lenientFlag = z
  .preprocess(asText, z.string('yes or no'))
  .transform((value) => /^(1|enable|enabled|on|y|yes|true)$/i.test(value))

/** Number of an image, its URL, or nothing, which removes it (QUIRK-14). */
export const image = z
  .preprocess(emptyAsText, z.string('the number of an image, or a URL'))
  .transform((value, context) => {
    if (value === '' || value === '0') return { imageId: null }
    if (/^\d{1,9}$/.test(value)) return { imageId: Number(value) }
    if (/^https?:/i.test(value) && URL.canParse(value)) return { imageUrl: value }
    context.addIssue({ code: 'custom', message: 'the number of an image, or the URL of one' })
    return z.NEVER
  })

/** One entry, or several. */
export const costs = z.preprocess(
  (value) => (Array.isArray(value) ? value.map(asText) : value === '' ? [] : [asText(value)]),
  z.array(z.string('text').refine(withoutNul, 'text without NUL'), 'a price, or a list of prices'),
)

const wholeNumber = /^\s*\d{1,10}\s*$/

/** Categories and tags of an event by number, slug or name; an empty list removes them all. */
export const terms = z.preprocess(
  (value) =>
    (typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value])
      .map((item) => (typeof item === 'number' ? String(item) : item))
      .filter((item) => typeof item !== 'string' || item.trim() !== ''),
  z
    .array(z.string('numbers, slugs or names').refine(withoutNul, 'text without NUL'))
    .transform((items) =>
      items.map((item) => (wholeNumber.test(item) ? { idIfThere: smallId(item) } : { named: plain(item) })),
    ),
)

/** A number that no record can have finds none. */
const smallId = (text: string): number => Math.min(Number(text), 2_147_483_647)

const isEmptyLink = (value: unknown): boolean =>
  value === null || value === '' || value === 0 || value === '0' || (Array.isArray(value) && value.every(isEmptyLink))

/**
 * Venues or organizers of an event in every form of contract b.12: a number, a CSV of numbers, an object with `id` or
 * with the fields of a new record, and lists of these; empty removes them all. `create` reads the fields.
 */
export function links<Create>(create: z.ZodType<Create>, expected: string) {
  const id = z
    .union([z.int().min(1), z.string().regex(wholeNumber)])
    .transform((value) => ({ id: smallId(String(value)) }))
  const byId = z.object({ id }).transform((value) => value.id)
  const item = z.union([id, byId, create.transform((value) => ({ create: value }))], expected)
  return z.preprocess(
    (value) => {
      if (isEmptyLink(value)) return []
      const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [value]
      return items.filter((each) => !isEmptyLink(each))
    },
    z.array(item, expected),
  )
}
