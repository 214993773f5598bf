// Limits on the size of the input of a write. Checked first, because later steps take time in proportion to the size.
import { badInput } from '../errors.ts'

/** Characters of a description or an excerpt, both as sent and as sanitized HTML. */
export const maxTextLength = 100_000

/** Characters of any other text. */
const maxLineLength = 2000

/** Items in a list. */
export const maxItems = 200

/** Levels of nested values. */
export const maxDepth = 50

const longTextFields: ReadonlySet<string> = new Set(['description', 'excerpt'])

/** Names and slugs are trimmed, and limited or cut when they are stored. */
const nameFields: ReadonlySet<string> = new Set(['title', 'name', 'named', 'slug', 'currentSlug'])

/** Fields whose total size as JSON is limited. */
const fieldsLimitedAsJson: ReadonlySet<string> = new Set(['customFields', 'cost', 'tickets'])

const formatCount = (count: number) => count.toLocaleString('en')

export const tooLongMessage = (field: string, maxLength: number) =>
  `${field} can have at most ${formatCount(maxLength)} characters.`

/** Throws badInput that names every field that is too large, or has a NUL character, which the database cannot store. */
export function checkInputLimits(input: object): void {
  const problems: Record<string, string> = {}
  for (const [field, value] of Object.entries(input)) {
    const problem = problemOf(field, value, 1)
    if (problem !== undefined) problems[problem === containsNul || problem === tooDeep ? 'input' : field] = problem
  }
  if (Object.keys(problems).length > 0) throw badInput(problems)
}

const containsNul = 'Text cannot contain NUL characters.'
const tooDeep = `Values can be nested at most ${maxDepth} levels deep.`

function problemOf(field: string, value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return tooDeep
  if (typeof value === 'string') return problemOfText(field, value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined
  if (fieldsLimitedAsJson.has(field)) return problemOfJson(field, value, depth)
  if (!Array.isArray(value)) return problemOfFields(value, depth)
  if (value.length > maxItems) return `${field} can have at most ${maxItems} items.`
  for (const item of value) {
    const problem = problemOf(field, item, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfText(field: string, text: string): string | undefined {
  const maxLength = longTextFields.has(field) || nameFields.has(field) ? maxTextLength : maxLineLength
  if (text.length > maxLength) return tooLongMessage(field, maxLength)
  return text.includes('\0') ? containsNul : undefined
}

function problemOfFields(value: object, depth: number): string | undefined {
  for (const [key, item] of Object.entries(value)) {
    const problem = problemOf(key, item, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfJson(field: string, value: object, depth: number): string | undefined {
  const problem = problemInJson(value, depth)
  if (problem !== undefined || JSON.stringify(value).length <= maxTextLength) return problem
  return `${field} can have at most ${formatCount(maxTextLength)} characters as JSON.`
}

function problemInJson(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return tooDeep
  if (typeof value === 'string') return value.includes('\0') ? containsNul : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  for (const item of isList ? value : Object.entries(value).flat()) {
    const problem = problemInJson(item, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
