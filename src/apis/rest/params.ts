// Zod schemas of parameters that several resources share (contract b). They coerce raw values and document the parameter.
import { z } from 'zod'
import { type ParsedDate, parseDate } from '../../basics/dates/natural-date.ts'
import { maxDepth, maxItems, maxTextLength } from '../../basics/input-limits.ts'
import { addDays, toWallClock } from '../../basics/time.ts'
import { missingParamsError } from './errors.ts'
import { legacyStatuses } from './text.ts'

const maxInteger = 2_147_483_647

export const isNumeric = (text: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())

const numericTextToNumber = (value: unknown) => (typeof value === 'string' && isNumeric(value) ? Number(value) : value)

/**
 * Converts a number, or text such as "12.0", "1e2" and " 12 ". Larger numbers become the largest 32-bit integer: no such page
 * or ID exists either way.
 */
const toNumber = (value: unknown) => {
  const parsed = numericTextToNumber(value)
  return typeof parsed === 'number' ? Math.min(parsed, maxInteger) : parsed
}

const wholeNumber = 'a whole number above 0'
export const positiveIntegerParam = z.preprocess(toNumber, z.int(wholeNumber).min(1, wholeNumber))

/** Boolean of contract b.4, first kind: rejects values that are not booleans. */
export const flagParam = z.preprocess((value) => {
  const text = typeof value === 'object' ? '' : String(value).toLowerCase()
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : value
}, z.boolean('true, false, 1 or 0'))

export const nonEmptyTextParam = z
  .string('text that is not empty')
  .refine((text) => text !== '' && text !== '0' && !text.includes('\0'), 'text that is not empty')

/** Empty to begin, then what the last response returned. */
export const syncTokenParam = z
  .string('the sync_token of a response, or nothing to begin')
  .max(2000, 'the sync_token of a response')

/** Boolean of contract b.4, third kind, with QUIRK-4. */
export const strictFlagParam = z
  .string('true or false')
  .refine((text) => text !== '', 'true or false')
  .transform((text) => /^(1|true|on|yes)$/i.test(text))

const dateFormat = 'a date, such as 2026-05-01, 2026-05-01 18:00:00 or tomorrow'

/** A date in any format of contract b.6. */
export const dateParam = z
  .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string(dateFormat))
  .transform((text, context): ParsedDate => {
    const parsed = parseDate(text)
    // Relative dates are checked later, by findDateRangeErrors: they depend on the current time.
    if (parsed?.isRelative || parsed?.resolve(sampleTime)) return parsed
    context.addIssue({ code: 'custom', message: dateFormat, continue: true })
    return { isRelative: false, hasInstant: false, resolve: () => undefined, toJSON: () => text }
  })
  .meta({ type: 'string' })

const isDate = (value: unknown): value is ParsedDate =>
  typeof value === 'object' && value !== null && 'isRelative' in value && 'resolve' in value

/** Returns errors by parameter for dates that are outside of the years 1 to 9999 in some time zone. */
export function findDateRangeErrors(values: object, now: Date): Readonly<Record<string, string>> {
  const dates = Object.entries(values).filter((entry): entry is [string, ParsedDate] => isDate(entry[1]))
  if (dates.length === 0) return {}
  const clocks = [-1, 0, 1].map((days) => addDays(toWallClock(now, 'UTC'), days))
  const isInRange = (date: ParsedDate) => clocks.every((clock) => date.resolve(clock) !== undefined)
  const outOfRange = dates.filter(([, value]) => !isInRange(value))
  return Object.fromEntries(outOfRange.map(([name]) => [name, `Give ${dateFormat}, in the years 1 to 9999.`]))
}

const publicationFormat = 'a date of the years 1 to 9998, such as 2026-05-01 or tomorrow'

/** A date that is within the years 1 to 9999 in every time zone. */
export const publicationDateParam = dateParam
  .refine((parsed) => {
    const { wallClock = '' } = parsed.resolve(sampleTime) ?? {}
    return wallClock >= '0001-01-02' && wallClock < '9999'
  }, publicationFormat)
  .meta({ type: 'string' })

const sampleTime = '2020-01-01T00:00:00'

/** Converts one value, an array, or a comma-separated text, which may be URL-encoded twice (contract b.5), to a list. */
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

export const integerListParam = z.preprocess(
  toList,
  z.array(positiveIntegerParam, 'whole numbers above 0, separated by commas').min(1, 'at least one number'),
)

const parentFormat = 'the ID of a category, or 0'
/** ID of a parent category; 0 means the top level (QUIRK-32). */
export const parentCategoryParam = z.preprocess(toNumber, z.int(parentFormat).min(0, parentFormat))

/** Categories or tags. Numeric text is an ID (contract b.5): "12.0" is the term 12. */
export const termListParam = z.preprocess(
  toList,
  z
    .array(
      z.preprocess((item) => {
        const value = toNumber(item)
        return typeof value === 'number' ? String(value) : value
      }, nonEmptyTextParam),
      'slugs, IDs or names, separated by commas',
    )
    .min(1, 'at least one'),
)

const isTruthy = (value: unknown): boolean =>
  typeof value === 'number' ? value !== 0 : /^(1|enabled?|on|y|yes|true)$/i.test(String(value))

/** Boolean of contract b.4, second kind: accepts every value. */
export const lenientFlagParam = z.preprocess(isTruthy, z.boolean())

/** Boolean of contract b.4, second kind, in a body: rejects lists and objects. */
export const lenientBodyFlagParam = z.preprocess(
  (value) => (typeof value === 'object' ? value : isTruthy(value)),
  z.boolean('true or false'),
)

export function decimalParam(min: number, max: number) {
  const format = `a number from ${min} to ${max}`
  return z.preprocess(numericTextToNumber, z.number(format).min(min, format).max(max, format))
}

const statusFormat = legacyStatuses.join(', ')

/** Statuses. GraphQL rejects those that the viewer may not list. */
export const statusListParam = z.preprocess(
  toList,
  z.array(z.enum(legacyStatuses, statusFormat), statusFormat).min(1, statusFormat),
)

export const paginationParams = {
  page: positiveIntegerParam.default(1).describe('Page of the list.'),
  per_page: positiveIntegerParam
    .optional()
    .describe('Items per page; at most 50, unless the site sets another maximum.'),
}

export const recordPasswordParam = nonEmptyTextParam.optional().describe('Password of protected records.')

/** The parameter `context` (contract c.15): with `edit`, editors read protected records without a password. */
export const contextParam = z
  .string('view or edit')
  .optional()
  .describe('`edit` returns protected records without a password to users who may edit them.')

export const pathIdParam = z.string().describe('ID of the record.')
export const pathSlugParam = z.string().describe('Slug of the record, in any language.')

/** The parameter `translation_language`, which every route has. */
export const createLanguageParam = (languages: readonly string[]) =>
  z
    .enum(languages, `one of ${languages.join(', ')}`)
    .optional()
    .describe('Language of the content.')

/** Other names of `translation_language` that legacy clients send. Accepted if LEGACY_ADDRESSES is on. */
export const createLegacyLanguageParams = (languages: readonly string[]) => ({
  wpml_language: createLanguageParam(languages).describe(
    'Same as translation_language, which takes precedence over it.',
  ),
  // Clients send values such as `all`, which count as no language.
  lang: z
    .preprocess((value) => languages.find((language) => language === value), z.enum(languages).optional())
    .describe(
      'Same as translation_language and wpml_language, which take precedence over it. Other values are ignored.',
    ),
})

/** Names of the language parameters. The link builder adds them to links, so lists of parameters leave them out. */
export const languageParamNames: readonly string[] = ['translation_language', 'wpml_language', 'lang']

export function languageOfParams(params: Readonly<Record<string, unknown>>) {
  const name = languageParamNames.find((each) => params[each] !== undefined)
  return name === undefined ? undefined : { name, value: String(params[name]) }
}

export type ParamsShape = Readonly<Record<string, z.ZodType>>
/** The parsed values of the parameters of a shape. */
export type Params<S extends ParamsShape> = z.output<z.ZodObject<S>>

/** Returns the valid values, and for invalid parameters what they accept. Null counts as absent, but removes links and images. */
export function readParams<S extends ParamsShape>(
  shape: S,
  raw: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
) {
  const missing = required.filter((name) => raw[name] === undefined || raw[name] === null)
  if (missing.length > 0) throw missingParamsError(missing)
  const values: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const [name, param] of Object.entries(shape)) {
    const value = raw[name] === null && !removable.has(name) ? undefined : raw[name]
    const limit = exceededLimit(value)
    if (limit !== undefined) {
      errors[name] = `Give ${limit}.`
      continue
    }
    const result = param.safeParse(value)
    if (!result.success) errors[name] = errorText(name, result.error.issues)
    else if (result.data !== undefined) values[name] = result.data
  }
  return { values: values as Partial<Params<S>>, errors }
}

/** Returns what an invalid parameter accepts or, if it contains new records, what their invalid fields accept. */
function errorText(name: string, issues: readonly z.core.$ZodIssue[]): string {
  const texts = issues.flatMap((issue) => {
    const [index] = issue.path
    const fields = issue.code === 'invalid_union' ? issue.errors.at(-1) : undefined
    if (typeof index !== 'number' || !fields?.every(({ path }) => path.length > 0)) return `${issue.message}.`
    return fields.map(({ path, message }) => `${message} as ${String(path[0])} of ${name} ${index + 1}.`)
  })
  return [...new Set(texts)].map((text) => `Give ${text}`).join(' ')
}

const removable: ReadonlySet<string> = new Set(['image', 'venue', 'organizer'])

/** Returns the limit that a value exceeds; undefined if none. Checked before parsing, which takes long for long values. */
function exceededLimit(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string' && value.length > maxTextLength) {
    return `at most ${maxTextLength.toLocaleString('en')} characters`
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > maxDepth) return `values nested at most ${maxDepth} levels deep`
  const items = Array.isArray(value) ? value : Object.values(value)
  if (items.length > maxItems) return `at most ${maxItems} items`
  for (const item of items) {
    const limit = exceededLimit(item, depth + 1)
    if (limit !== undefined) return limit
  }
  return undefined
}

/** Returns the filter of a search, which finds records that contain the text, also inside of words (contract c.14). */
export const legacySearchFilter = (search: string | undefined) => ({
  search,
  ...(search !== undefined && { searchMode: 'SUBSTRING' as const }),
})
