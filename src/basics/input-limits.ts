// Limits on the size of the input of a mutation. They are checked first, because later checks take longer for larger inputs.
import type { InputProblem } from './errors.ts'

/** Maximum number of characters of a description or an excerpt, both as sent and as sanitized HTML. */
export const maxTextLength = 100_000

/** Maximum number of characters of a text that is neither a description nor an excerpt. */
const maxLineLength = 2000

/** Maximum number of items in a list. */
export const maxItems = 200

/** Maximum depth of nested objects and lists. */
export const maxDepth = 50

const longTextFields: ReadonlySet<string> = new Set(['description', 'excerpt'])

/** Fields without a limit of their length here: names and slugs are trimmed, and limited or cut when they are stored. */
const nameFields: ReadonlySet<string> = new Set(['title', 'name', 'nameOrSlug', 'slug', 'currentSlug'])

/** Fields whose total size as JSON is limited. */
const fieldsLimitedAsJson: ReadonlySet<string> = new Set(['customFields', 'cost', 'tickets'])

const formatCount = (count: number) => count.toLocaleString('en')

export const tooLongMessage = (field: string, maxLength: number) =>
  `${field} can have at most ${formatCount(maxLength)} characters.`

const maxProblems = 50
const nulMessage = 'Text cannot contain NUL characters.'
const tooDeepMessage = `Values can be nested at most ${maxDepth} levels deep.`

/**
 * Returns the values that are too large, or have a NUL character, which PostgreSQL cannot store. `usable`: the input; if there
 * are problems, a copy with shortened values, in which later checks can find further problems. Undefined if there are too many.
 */
export function checkInputSize<Input extends object>(input: Input) {
  const problems: InputProblem[] = []
  /** Path of the value that is being checked. */
  const path: (string | number)[] = []

  const refuse = <Value>(message: string, usable: Value): Value => {
    if (problems.length < maxProblems) problems.push({ path: [...path], message })
    return usable
  }

  /** Applies `limit` to each item of a list or object. Returns the same object, or a copy if an item was replaced. */
  const limitEach = (value: object, limit: (item: unknown, key: string) => unknown): object => {
    let usable = value
    for (const [key, item] of Object.entries(value)) {
      path.push(Array.isArray(value) ? Number(key) : key)
      const replacement = limit(item, key)
      path.pop()
      if (Object.is(replacement, item)) continue
      usable = Array.isArray(usable) ? usable.with(Number(key), replacement) : { ...usable, [key]: replacement }
    }
    return usable
  }

  const limitValue = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') return limitText(value, field)
    if (typeof value !== 'object' || value === null || value instanceof Date || isFile(value)) return value
    if (path.length > maxDepth) return refuse(tooDeepMessage, null)
    if (fieldsLimitedAsJson.has(field)) return limitJsonSize(value, field)
    if (!Array.isArray(value)) return limitEach(value, limitValue)
    if (value.length > maxItems) return refuse(`${field} can have at most ${maxItems} items.`, value.slice(0, 1))
    return limitEach(value, (item) => limitValue(item, field))
  }

  const limitText = (text: string, field: string): string => {
    const maxLength = longTextFields.has(field) || nameFields.has(field) ? maxTextLength : maxLineLength
    if (text.length > maxLength) return refuse(tooLongMessage(field, maxLength), 'x')
    return text.includes('\0') ? refuse(nulMessage, 'x') : text
  }

  const limitJsonSize = (value: object, field: string): unknown => {
    const before = problems.length
    const usable = limitJson(value)
    if (problems.length > before || JSON.stringify(value).length <= maxTextLength) return usable
    return refuse(`${field} can have at most ${formatCount(maxTextLength)} characters as JSON.`, [])
  }

  const limitJson = (value: unknown): unknown => {
    if (typeof value === 'string' && value.includes('\0')) return refuse(nulMessage, 'x')
    if (typeof value !== 'object' || value === null) return value
    if (path.length > maxDepth) return refuse(tooDeepMessage, null)
    if (Object.keys(value).some((key) => key.includes('\0'))) return refuse(nulMessage, null)
    return limitEach(value, limitJson)
  }

  const usable = limitEach(input, limitValue)
  return { problems, usable: problems.length < maxProblems ? (usable as Input) : undefined }
}

/** Whether the value is an uploaded file. Not `instanceof File`, because GraphQL Yoga has its own class for files. */
export const isFile = (value: object) => 'arrayBuffer' in value
