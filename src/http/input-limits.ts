// How much one write may say. Checked first: what follows may take time with each character.
import { badInput } from '../errors.ts'

/** Characters of a description or an excerpt, as it is sent and as HTML. */
export const longestText = 100_000

/** Characters of any other text. */
const longestLine = 2000

/** Items of a list. */
export const mostItems = 200

/** Levels of values in each other. */
export const deepest = 50

const longTexts: ReadonlySet<string> = new Set(['description', 'excerpt'])

/** Names and slugs are limited or cut as they are stored: what is sent may have blanks that go. */
const names: ReadonlySet<string> = new Set(['title', 'name', 'named', 'slug', 'currentSlug'])

/** Lists that are limited by all that is in them. */
const wholes: ReadonlySet<string> = new Set(['customFields', 'cost', 'tickets'])

const figure = (count: number) => count.toLocaleString('en')

export const tooLong = (field: string, most: number) => `${field} has at most ${figure(most)} characters.`

/** Throws badInput that names every field of the input that says too much, or what the database can't hold. */
export function checkLimits(input: object): void {
  const wrong: Record<string, string> = {}
  for (const [field, value] of Object.entries(input)) {
    const problem = problemOf(field, value, 1)
    if (problem !== undefined) wrong[problem === noNul || problem === tooDeep ? 'input' : field] = problem
  }
  if (Object.keys(wrong).length > 0) throw badInput(wrong)
}

const noNul = 'Text holds no NUL character.'
const tooDeep = `Values lie at most ${deepest} deep in each other.`

function problemOf(field: string, value: unknown, depth: number): string | undefined {
  if (depth > deepest) return tooDeep
  if (typeof value === 'string') return problemOfText(field, value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined
  if (wholes.has(field)) return problemOfWhole(field, value, depth)
  if (!Array.isArray(value)) return problemOfFields(value, depth)
  if (value.length > mostItems) return `${field} has at most ${mostItems} items.`
  for (const item of value) {
    const problem = problemOf(field, item, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfText(field: string, text: string): string | undefined {
  const most = longTexts.has(field) || names.has(field) ? longestText : longestLine
  if (text.length > most) return tooLong(field, most)
  return text.includes('\0') ? noNul : undefined
}

function problemOfFields(value: object, depth: number): string | undefined {
  for (const [key, item] of Object.entries(value)) {
    const problem = problemOf(key, item, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfWhole(field: string, value: object, depth: number): string | undefined {
  const problem = problemWithin(value, depth)
  if (problem !== undefined || JSON.stringify(value).length <= longestText) return problem
  return `${field} has at most ${figure(longestText)} characters, written as JSON.`
}

function problemWithin(value: unknown, depth: number): string | undefined {
  if (depth > deepest) return tooDeep
  if (typeof value === 'string') return value.includes('\0') ? noNul : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  for (const item of isList ? value : Object.entries(value).flat()) {
    const problem = problemWithin(item, depth + 1)
    if (problem !== undefined) return problem
  }
  return undefined
}
