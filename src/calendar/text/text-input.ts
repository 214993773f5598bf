// Checks and cleans text of inputs before it is stored.
import { isEmail } from '../../basics/contact-links.ts'
import { badInput } from '../../basics/errors.ts'
import { checkAll, checkEach } from '../../basics/input-errors.ts'
import { languageCode } from '../../basics/language.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { maxTextLength, tooLongMessage } from '../../service/http/input-limits.ts'
import { normalize } from './normalize.ts'
import { cleanHtml } from './sanitize-html.ts'
import type { TextChange } from './write-text.ts'

/** A title or name: one line of plain text. Throws badInput if it is empty or too long. */
export function nameInput(field: string, text: string | null | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = lineInput(text ?? '') ?? ''
  if (name === '') throw badInput({ [field]: `${field} must not be empty.` })
  if (name.length > maxNameLength) throw badInput({ [field]: `${field} can have at most ${maxNameLength} characters.` })
  return name
}

/** Characters. Names are indexed, and an entry of a B-tree index can have at most 2,704 bytes. */
const maxNameLength = 800

/** One line of plain text, in NFC. */
export const lineInput = (text: string | null | undefined): string | undefined =>
  text == null
    ? undefined
    : normalize(text.toWellFormed(), 'NFC')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()

/** A JSON value without lone surrogates in its texts, which PostgreSQL rejects. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]))
}

/** Sanitized HTML. Throws badInput if the result is too long, so that clients can send back whatever they read. */
export async function htmlInput(field: string, html: string | null | undefined): Promise<string | null | undefined> {
  if (html == null) return html
  const safe = await cleanHtml(html.toWellFormed())
  if (safe.length <= maxTextLength) return safe
  throw badInput({
    [field]: `${tooLongMessage(field, maxTextLength)} Escaping & and closing tags made it longer.`,
  })
}

export interface TextFieldsInput {
  readonly description?: string | null | undefined
  readonly excerpt?: string | null | undefined
  readonly slug?: string | null | undefined
}

/** The checked text of one language. */
export async function textChange(
  nameField: string,
  name: string | null | undefined,
  input: TextFieldsInput,
): Promise<TextChange> {
  const { own, more } = await checkAll({ own: () => nameInput(nameField, name), more: () => cleanTexts(input) })
  return { name: own, ...more }
}

export const TranslationInput = builder.inputType('TranslationInput', {
  description: 'Text in another language than that of the operation. Omitted fields stay; null removes the text.',
  fields: (t) => ({
    language: t.field({ type: LanguageCode, required: true, description: 'Language of this text.' }),
    name: t.string({ description: 'Title of an event, or name of another record.' }),
    description: t.string({ description: 'HTML, or text with blank lines between paragraphs.' }),
    excerpt: t.string({ description: 'A short description. Ignored for categories and tags.' }),
    slug: t.string({ description: 'Name in URLs; by default derived from the title or name.' }),
  }),
})

type Translations = readonly (typeof TranslationInput.$inferInput)[] | null | undefined

interface Languages {
  /** Language of the operation. */
  readonly language: string
  /** Language that the record was first written in; its title or name cannot be removed. */
  readonly original: string
}

/**
 * The checked text by language: `change` for the language of the operation, and the translations. `clean` checks and
 * cleans a translation. Throws one badInput with all problems.
 */
export async function textChanges(
  { language, original }: Languages,
  change: () => TextChange | Promise<TextChange>,
  translations: Translations,
  clean: (text: TextFieldsInput) => TextChange | Promise<TextChange> = cleanTexts,
): Promise<Map<string, TextChange>> {
  const languagesSeen = new Set<string>()
  const { own, others } = await checkAll({
    own: change,
    others: () =>
      checkEach('translations', translations ?? [], async ({ language: other, name, ...text }) => {
        const { own, more } = await checkAll({
          language: () => {
            if (languagesSeen.has(other)) {
              throw badInput({ language: `The language ${languageCode(other)} occurs twice.` })
            }
            languagesSeen.add(other)
          },
          own: () => (name === null ? removedName(other, original) : nameInput('name', name)),
          more: () => clean(text),
        })
        return [other, { name: own, ...more }] as const
      }),
  })
  const changes = new Map([[language, own]])
  for (const [other, text] of others) changes.set(other, { ...changes.get(other), ...withoutUndefined(text) })
  return changes
}

/** All languages without a title or name fall back to that of the original language. */
function removedName(language: string, original: string): null {
  if (language !== original) return null
  throw badInput({
    name: `The title or name in ${languageCode(original)} cannot be removed: it is the original language.`,
  })
}

async function cleanTexts({ description, excerpt, slug }: TextFieldsInput): Promise<TextChange> {
  const html = await checkAll({
    description: () => htmlInput('description', description),
    excerpt: () => htmlInput('excerpt', excerpt),
  })
  return { ...html, slug }
}

export const withoutUndefined = (change: TextChange = {}): TextChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

export function checkEmail(field: string, email: string | null | undefined): string | undefined {
  const text = lineInput(email)
  if (!text || isEmail(text)) return text
  throw badInput({ [field]: `${field} must be an address such as ada@example.org, or empty.` })
}

export function checkUrl(field: string, url: string | null | undefined): string | undefined {
  const text = lineInput(url)
  if (text === undefined || text === '') return text
  if (URL.canParse(text) && !/\s/.test(text) && !/^(javascript|vbscript|data):/i.test(text)) return text
  throw badInput({ [field]: `${field} must be an absolute URL such as https://example.org, or empty.` })
}
