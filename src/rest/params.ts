// Coercers that all resources share (contract b): each reads a parameter as it came and documents it by its schema.
import { z } from 'zod'
import { maxDepth, maxItems, maxTextLength } from '../http/input-limits.ts'
import { addDays, toWallClock } from '../time.ts'
import { missingParams } from './errors.ts'
import { type ParsedDate, parseDate } from './natural-date.ts'
import { legacyStatuses } from './text.ts'

const largest = 2_147_483_647
const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

/**
 * "12", "12.0", "1e2" and " 12 " are numbers; other text stays text, which the next step refuses. No value is too large
 * to be read: what no list reaches is past its end.
 */
const toNumber = (value: unknown) => {
  const read = typeof value === 'string' && number.test(value.trim()) ? Number(value) : value
  return typeof read === 'number' ? Math.min(read, largest) : read
}

const wholeNumber = 'a whole number above 0'
export const positiveInteger = z.preprocess(toNumber, z.int(wholeNumber).min(1, wholeNumber))

/** Contract b.4, first kind. */
export const flag = z.preprocess((value) => {
  const text = typeof value === 'object' ? '' : String(value).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : value
}, z.boolean('true, false, 1 or 0'))

export const nonEmptyText = z
  .string('text that is not empty')
  .refine((text) => text !== '' && text !== '0' && !text.includes('\0'), 'text that is not empty')

/** Contract b.4, third kind, with QUIRK-4. */
export const strictFlag = z
  .string('true or false')
  .refine((text) => text !== '', 'true or false')
  .transform((text) => /^(1|true|on|yes)$/i.test(text))

const aDate = 'a date, such as 2026-05-01, 2026-05-01 18:00:00 or tomorrow'

/** A date in any form of contract b.6, parsed. */
export const date = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string(aDate))
  .transform((text, context): ParsedDate => {
    const parsed = parseDate(text)
    // What is relative to now is judged when now is known.
    if (parsed?.isRelative || parsed?.resolve(someMoment)) return parsed
    context.addIssue({ code: 'custom', message: aDate, continue: true })
    return { isRelative: false, hasInstant: false, resolve: () => undefined }
  })
  .meta({ type: 'string' })

const isDate = (value: unknown): value is ParsedDate =>
  typeof value === 'object' && value !== null && 'isRelative' in value && 'resolve' in value

/** The dates among the parameters that, in the zone they may be read in, are not in the years 1 to 9999; with what would be right. */
export function unreachableDates(values: object, now: Date): Readonly<Record<string, string>> {
  const dates = Object.entries(values).filter((entry): entry is [string, ParsedDate] => isDate(entry[1]))
  if (dates.length === 0) return {}
  const clocks = [-1, 0, 1].map((days) => addDays(toWallClock(now, 'UTC'), days))
  const isReachable = (date: ParsedDate) => clocks.every((clock) => date.resolve(clock) !== undefined)
  const unreachable = dates.filter(([, value]) => !isReachable(value))
  return Object.fromEntries(unreachable.map(([name]) => [name, `Give ${aDate}, in the years 1 to 9999.`]))
}

const aPublication = 'a date of the years 1 to 9998, such as 2026-05-01 or tomorrow'

/** One that every zone shows with four digits of the year. */
export const publicationDate = date
  .refine((parsed) => {
    const { wallClock = '' } = parsed.resolve(someMoment) ?? {}
    return wallClock >= '0001-01-02' && wallClock < '9999'
  }, aPublication)
  .meta({ type: 'string' })

const someMoment = '2020-01-01T00:00:00'

/** One value, a CSV string, encoded once more at times (contract b.5), or an array; empty is wrong. */
const toList = (value: unknown): unknown => {
  if (typeof value === 'number') return [value]
  if (typeof value !== 'string') return value
  return decoded(value)
    .split(',')
    .flatMap((item) => item.trim() || [])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const integerList = z.preprocess(
  toList,
  z.array(positiveInteger, 'whole numbers above 0, separated by commas').min(1, 'at least one number'),
)

const parentText = 'the number of a category, or 0'
/** A category that others are below, or 0 (QUIRK-32). */
export const parentNumber = z.preprocess(toNumber, z.int(parentText).min(0, parentText))

const terms = 'slugs, numbers or names, separated by commas'

/** Numeric text is a number (contract b.5): "12.0" is the term 12. */
const toTerm = (item: unknown) => {
  const value = toNumber(item)
  return typeof value === 'number' ? String(value) : value
}

/** Categories or tags; which of them there are, the graph knows. */
export const termList = z.preprocess(toList, z.array(z.preprocess(toTerm, nonEmptyText), terms).min(1, 'at least one'))

/** Contract b.4, second kind: never wrong. */
export const lenientFlag = z.preprocess(
  (value) => (typeof value === 'number' ? value !== 0 : /^(1|enabled?|on|y|yes|true)$/i.test(String(value))),
  z.boolean(),
)

/** Within bounds, as text or number. */
export const decimal = (least: number, most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && number.test(value.trim()) ? Number(value) : value),
    z
      .number(`a number from ${least} to ${most}`)
      .min(least, `a number from ${least} to ${most}`)
      .max(most, `a number from ${least} to ${most}`),
  )

/** Who writes nothing may ask for what is published alone; the graph refuses the rest. */
export const statusList = z.preprocess(
  toList,
  z
    .array(z.enum(legacyStatuses, legacyStatuses.join(', ')), legacyStatuses.join(', '))
    .min(1, legacyStatuses.join(', ')),
)

export const pageParams = {
  page: positiveInteger.default(1).describe('Page of the list.'),
  per_page: positiveInteger.optional().describe('Items on a page, 50 at most unless the site sets another maximum.'),
}

export const recordPassword = nonEmptyText.optional().describe('Password of protected records.')

/** Contract c.15: what is read to be edited needs no password. Other words mean nothing. */
export const readContext = z
  .string('view or edit')
  .optional()
  .describe('`edit` opens protected records to who may edit them.')

export const pathId = z.string().describe('Number of the record.')
export const pathSlug = z.string().describe('Slug of the record, in any language.')

/** The parameter of every route. */
export const languageParam = (languages: readonly string[]) =>
  z
    .enum(languages, `one of ${languages.join(', ')}`)
    .optional()
    .describe('Language of the content.')

export type Shape = Readonly<Record<string, z.ZodType>>
export type Params<S extends Shape> = z.output<z.ZodObject<S>>

interface ReadParams<S extends Shape> {
  /** Those that are right, with defaults for what is absent. */
  readonly values: Partial<Params<S>>
  /** Each of the others with what would be right. */
  readonly wrong: Readonly<Record<string, string>>
}

/**
 * The parameters that `shape` declares. Throws one error that names all that are missing. Null is as good as absent, but
 * for links and images, which it removes.
 */
export function readParams<S extends Shape>(
  shape: S,
  given: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): ReadParams<S> {
  const missing = required.filter((name) => given[name] === undefined || given[name] === null)
  if (missing.length > 0) throw missingParams(missing)
  const values: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const [name, param] of Object.entries(shape)) {
    const value = given[name] === null && !removable.has(name) ? undefined : given[name]
    const most = limitOn(value)
    if (most !== undefined) {
      wrong[name] = `Give ${most}.`
      continue
    }
    const result = param.safeParse(value)
    if (!result.success) wrong[name] = textOf(name, result.error.issues)
    else if (result.data !== undefined) values[name] = result.data
  }
  return { values: values as Partial<Params<S>>, wrong }
}

/** What would be right; of new records inside a parameter, for each of their fields that is wrong. */
function textOf(name: string, issues: readonly z.core.$ZodIssue[]): string {
  const texts = issues.flatMap((issue) => {
    const [place] = issue.path
    const fields = issue.code === 'invalid_union' ? issue.errors.at(-1) : undefined
    if (typeof place !== 'number' || !fields?.every(({ path }) => path.length > 0)) return `${issue.message}.`
    return fields.map(({ path, message }) => `${message} as ${String(path[0])} of ${name} ${place + 1}.`)
  })
  return [...new Set(texts)].map((text) => `Give ${text}`).join(' ')
}

const removable: ReadonlySet<string> = new Set(['image', 'venue', 'organizer'])

/** What a value exceeds, if anything: looked at before it is read, which may take time with each character. */
function limitOn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string' && value.length > maxTextLength) {
    return `at most ${maxTextLength.toLocaleString('en')} characters`
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > maxDepth) return `values at most ${maxDepth} deep in each other`
  const items = Array.isArray(value) ? value : Object.values(value)
  if (items.length > maxItems) return `at most ${maxItems} at once`
  for (const item of items) {
    const most = limitOn(item, depth + 1)
    if (most !== undefined) return most
  }
  return undefined
}
