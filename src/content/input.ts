// Text as people send it, before it is stored.
import { badInput } from '../errors.ts'
import { builder } from '../graphql/builder.ts'
import { safeHtml } from './clean.ts'
import type { TextChange } from './write-text.ts'

/** Titles and names: plain text on one line, never empty. */
export function nameInput(field: string, text: string | null | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = lineInput(text ?? '') ?? ''
  if (name === '') throw badInput({ [field]: `${field} is not empty.` })
  return name
}

/** Plain text on one line. */
export const lineInput = (text: string | null | undefined): string | undefined =>
  text == null
    ? undefined
    : text
        .toWellFormed()
        .normalize('NFC')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()

export const htmlInput = (html: string | null | undefined): string | null | undefined =>
  html == null ? html : safeHtml(html.toWellFormed())

export interface TextInput {
  readonly description?: string | null | undefined
  readonly excerpt?: string | null | undefined
  readonly slug?: string | null | undefined
}

/** Text of one language as it is written. */
export const textChange = (nameField: string, name: string | null | undefined, input: TextInput): TextChange => ({
  name: nameInput(nameField, name),
  description: htmlInput(input.description),
  excerpt: htmlInput(input.excerpt),
  slug: input.slug,
})

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

/** The text of the operation's language and of others, by language. Throws badInput for one that the site hasn't. */
export function textChanges(
  language: string,
  change: TextChange,
  translations: Translations,
  languages: readonly string[],
): Map<string, TextChange> {
  const changes = new Map([[language, change]])
  for (const { language: other, name, ...text } of translations ?? []) {
    if (!languages.includes(other)) throw badInput({ translations: `Give one of ${languages.join(', ')}.` })
    if (changes.has(other) && other !== language) throw badInput({ translations: `${other} is given twice.` })
    const given = { name: name === null ? null : nameInput('name', name), ...cleaned(text) }
    changes.set(other, { ...changes.get(other), ...withoutUndefined(given) })
  }
  return changes
}

const cleaned = ({ description, excerpt, slug }: TextInput): TextChange => ({
  description: htmlInput(description),
  excerpt: htmlInput(excerpt),
  slug,
})

export const withoutUndefined = (change: TextChange = {}): TextChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

export function checkUrl(field: string, url: string | null | undefined): string | undefined {
  const text = lineInput(url)
  if (text === undefined || text === '') return text
  if (URL.canParse(text) && !/\s/.test(text) && !/^(javascript|vbscript|data):/i.test(text)) return text
  throw badInput({ [field]: `${field} is an absolute URL such as https://example.org, or empty.` })
}
