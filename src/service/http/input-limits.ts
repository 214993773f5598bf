// Limits on the size of the input of a write. Checked first, because later steps take time in proportion to the size.
import type { InputProblem } from '../../basics/errors.ts'

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
const nameFields: ReadonlySet<string> = new Set(['title', 'name', 'nameOrSlug', 'slug', 'currentSlug'])

/** Fields whose total size as JSON is limited. */
const fieldsLimitedAsJson: ReadonlySet<string> = new Set(['customFields', 'cost', 'tickets'])

const formatCount = (count: number) => count.toLocaleString('en')

export const tooLongMessage = (field: string, maxLength: number) =>
  `${field} can have at most ${formatCount(maxLength)} characters.`

export interface LimitedInput<Input> {
  /** A value is too large, or has a NUL character, which the database cannot store. */
  readonly problems: readonly InputProblem[]
  /**
   * The input itself, or, if there are problems, a copy with values within the limits, to find its other problems. Undefined
   * if there are more problems than are replaced.
   */
  readonly usable: Input | undefined
}

/** Checks the size of all values of an input. */
export function limitInput<Input extends object>(input: Input): LimitedInput<Input> {
  const check: Check = { found: [], path: [] }
  checkFields(input, check, 0)
  const { found } = check
  if (found.length === 0) return { problems: found, usable: input }
  const problems = found.map(({ path, message }) => ({ path, message }))
  if (found.length === maxProblems) return { problems, usable: undefined }
  let usable: unknown = input
  for (const { path, usable: replacement } of found) usable = replaceAt(usable, path, replacement)
  return { problems, usable: usable as Input }
}

interface Found extends InputProblem {
  /** A value within the limits. */
  readonly usable: unknown
}

interface Check {
  readonly found: Found[]
  /** Path of the value that is being checked. */
  readonly path: (string | number)[]
}

const maxProblems = 50
const nulMessage = 'Text cannot contain NUL characters.'
const tooDeepMessage = `Values can be nested at most ${maxDepth} levels deep.`

/** `usable` replaces the value. */
function addProblem({ found, path }: Check, message: string, usable: unknown): void {
  if (found.length < maxProblems) found.push({ path: [...path], message, usable })
}

function checkValue(field: string, value: unknown, check: Check, depth: number): void {
  if (typeof value === 'string') checkText(field, value, check)
  else if (typeof value !== 'object' || value === null || value instanceof Date || isFile(value)) return
  else if (depth > maxDepth) addProblem(check, tooDeepMessage, null)
  else if (fieldsLimitedAsJson.has(field)) checkJsonSize(field, value, check, depth)
  else if (!Array.isArray(value)) checkFields(value, check, depth)
  else if (value.length > maxItems) {
    addProblem(check, `${field} can have at most ${maxItems} items.`, value.slice(0, 1))
  } else {
    visitEach(check, value.entries(), (_index, item) => checkValue(field, item, check, depth + 1))
  }
}

/** An uploaded file, whose properties can be its bytes. GraphQL Yoga has its own class for files. */
export const isFile = (value: object) => 'arrayBuffer' in value

function checkFields(value: object, check: Check, depth: number): void {
  visitEach(check, Object.entries(value), (key, item) => checkValue(key, item, check, depth + 1))
}

/** Calls `visit` with each value while its key is the last one of the path. */
function visitEach<Key extends string | number>(
  { path }: Check,
  entries: Iterable<[Key, unknown]>,
  visit: (key: Key, item: unknown) => void,
): void {
  for (const [key, item] of entries) {
    path.push(key)
    visit(key, item)
    path.pop()
  }
}

function checkText(field: string, text: string, check: Check): void {
  const maxLength = longTextFields.has(field) || nameFields.has(field) ? maxTextLength : maxLineLength
  if (text.length > maxLength) addProblem(check, tooLongMessage(field, maxLength), 'x')
  else if (text.includes('\0')) addProblem(check, nulMessage, 'x')
}

function checkJsonSize(field: string, value: object, check: Check, depth: number): void {
  const before = check.found.length
  checkJson(value, check, depth)
  if (check.found.length > before || JSON.stringify(value).length <= maxTextLength) return
  addProblem(check, `${field} can have at most ${formatCount(maxTextLength)} characters as JSON.`, [])
}

function checkJson(value: unknown, check: Check, depth: number): void {
  if (typeof value === 'string' && value.includes('\0')) addProblem(check, nulMessage, 'x')
  if (typeof value !== 'object' || value === null) return
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  if (depth > maxDepth) addProblem(check, tooDeepMessage, null)
  else if (Object.keys(value).some((key) => key.includes('\0'))) addProblem(check, nulMessage, null)
  else visitEach<string | number>(check, entries, (_key, item) => checkJson(item, check, depth + 1))
}

/** A copy of `value` with `replacement` at `path`. */
function replaceAt(value: unknown, [key, ...rest]: InputProblem['path'], replacement: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return replacement
  const part = replaceAt((value as Readonly<Record<string | number, unknown>>)[key], rest, replacement)
  return Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part }
}
