// Text as people send it, before it is stored.
import { badInput } from '../../errors.ts'
import { builder } from '../../graphql/builder.ts'
import { maxTextLength, tooLongMessage } from '../../http/input-limits.ts'
import { checkAll, checkEach } from '../lifecycle/input-errors.ts'
import { normalize } from './normalize.ts'
import { cleanHtml } from './sanitize-html.ts'
import type { TextChange } from './write-text.ts'

/** Titles and names: plain text on one line, never empty. */
export function nameInput(field: string, text: string | null | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = lineInput(text ?? '') ?? ''
  if (name === '') throw badInput({ [field]: `${field} is not empty.` })
  if (name.length > longestName) throw badInput({ [field]: `${field} has at most ${longestName} characters.` })
  return name
}

/** Lists are ordered by an index of names, whose entries have at most 2,700 bytes. */
const longestName = 800

/** Plain text on one line. */
export const lineInput = (text: string | null | undefined): string | undefined =>
  text == null
    ? undefined
    : normalize(text.toWellFormed(), 'NFC')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()

/** Any value, its texts without halves of characters, which the database can't hold. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]))
}

/** HTML as it is stored. Throws badInput when that is too long: what is read can be written back. */
export async function htmlInput(field: string, html: string | null | undefined): Promise<string | null | undefined> {
  if (html == null) return html
  const safe = await cleanHtml(html.toWellFormed())
  if (safe.length <= maxTextLength) return safe
  throw badInput({
    [field]: `${tooLongMessage(field, maxTextLength)} As HTML, with &amp; for & and all tags closed, it has more.`,
  })
}

export interface TextInput {
  readonly description?: string | null | undefined
  readonly excerpt?: string | null | undefined
  readonly slug?: string | null | undefined
}

/** Text of one language as it is written. */
export async function textChange(
  nameField: string,
  name: string | null | undefined,
  input: TextInput,
): Promise<TextChange> {
  const { own, more } = await checkAll({ own: () => nameInput(nameField, name), more: () => cleaned(input) })
  return { name: own, ...more }
}

export const TranslationInput = builder.inputType('TranslationInput', {
  description: 'Text in another language than that of the operation. What is not given stays; null forgets it.',
  fields: (t) => ({
    language: t.string({ required: true, description: 'A language of the site.' }),
    name: t.string({ description: 'Title of an event, name of any other record.' }),
    description: t.string({ description: 'HTML, or text with blank lines between paragraphs.' }),
    excerpt: t.string({ description: 'A short description; categories and tags have none.' }),
    slug: t.string({ description: 'Name in URLs; by default made from the title or name.' }),
  }),
})

type Translations = readonly (typeof TranslationInput.$inferInput)[] | null | undefined

interface Languages {
  /** That of the operation. */
  readonly language: string
  /** That of the record's first text; its title or name stays. */
  readonly original: string
  /** Those of the site. */
  readonly languages: readonly string[]
}

/**
 * The text of the operation's language and of others, by language; `read` makes text ready to be stored. Throws badInput
 * for all that is wrong with any of them.
 */
export async function textChanges(
  { language, original, languages }: Languages,
  change: () => TextChange | Promise<TextChange>,
  translations: Translations,
  read: (text: TextInput) => TextChange | Promise<TextChange> = cleaned,
): Promise<Map<string, TextChange>> {
  const given = new Set<string>()
  const { own, others } = await checkAll({
    own: change,
    others: () =>
      checkEach('translations', translations ?? [], async ({ language: other, name, ...text }) => {
        if (!languages.includes(other)) throw badInput({ language: `Give one of ${languages.join(', ')}.` })
        if (given.has(other)) throw badInput({ language: `${other} is given twice.` })
        given.add(other)
        // What no language has is served in this one.
        if (name === null && other === original) {
          throw badInput({ name: `The text in ${original} was the first: its title or name stays.` })
        }
        const { own, more } = await checkAll({
          own: () => (name === null ? null : nameInput('name', name)),
          more: () => read(text),
        })
        return [other, { name: own, ...more }] as const
      }),
  })
  const changes = new Map([[language, own]])
  for (const [other, text] of others) changes.set(other, { ...changes.get(other), ...withoutUndefined(text) })
  return changes
}

async function cleaned({ description, excerpt, slug }: TextInput): Promise<TextChange> {
  const html = await checkAll({
    description: () => htmlInput('description', description),
    excerpt: () => htmlInput('excerpt', excerpt),
  })
  return { ...html, slug }
}

export const withoutUndefined = (change: TextChange = {}): TextChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

export function checkUrl(field: string, url: string | null | undefined): string | undefined {
  const text = lineInput(url)
  if (text === undefined || text === '') return text
  if (URL.canParse(text) && !/\s/.test(text) && !/^(javascript|vbscript|data):/i.test(text)) return text
  throw badInput({ [field]: `${field} is an absolute URL such as https://example.org, or empty.` })
}
