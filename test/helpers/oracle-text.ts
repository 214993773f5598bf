// The oracle for texts: fallback, search and collation.
import type { EventFacts, Language, LinkedFacts, OwnText, OwnTexts } from './oracle-facts.ts'

/** Fallback per field: the language, then the default language, then the original language. */
export function served(texts: OwnTexts, language: Language, field: keyof OwnText): string {
  const [original] = texts.keys()
  for (const candidate of [language, 'en', original] as const) {
    const text = candidate && texts.get(candidate)?.[field]
    if (text !== undefined) return text
  }
  return ''
}

export const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('ß', 'ss')
    .replaceAll('’', "'")

/** Without the punctuation around a word or phrase. */
const bare = (text: string) => line(text).replace(/^["(.,;!]+|["(.,;!-]+$/g, '')
const withoutTags = (html: string) => html.replace(/<[^>]*>/g, ' ').replaceAll('&amp;', '&')
const line = (text: string) => fold(text).replace(/\s+/g, ' ').trim()

/** Filters by language, only in GraphQL. */
export interface TranslationValues {
  readonly translatedInto?: readonly Uppercase<Language>[]
  readonly missingTranslation?: readonly Uppercase<Language>[]
}

/** All generated texts have a name. */
export function fitsTranslations(texts: OwnTexts, { translatedInto, missingTranslation }: TranslationValues): boolean {
  const isWritten = (code: Uppercase<Language>) => texts.has(code.toLowerCase() as Language)
  return (translatedInto?.some(isWritten) ?? true) && !(missingTranslation?.every(isWritten) ?? false)
}

const nameField = (texts: OwnTexts, language: Language) => line(served(texts, language, 'name'))

const postFields = (texts: OwnTexts, language: Language) => [
  nameField(texts, language),
  line(withoutTags(served(texts, language, 'excerpt'))),
  line(withoutTags(served(texts, language, 'description'))),
]

/** All words must occur in any field, or in the title if the event is locked. Supports `"a phrase"` and `-excluded`. */
export function findsEvent(search: string, { texts }: EventFacts, language: Language, open: boolean): boolean {
  const fields = open ? postFields(texts, language) : [nameField(texts, language)]
  const contains = (text: string) => fields.some((field) => field.includes(line(text)))
  return [...search.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)].every(([, not, phrase, word]) => {
    const occurs = contains(bare(phrase ?? word ?? ''))
    return not ? !occurs : occurs
  })
}

const searched = {
  venue: ['address', 'city', 'province', 'state', 'stateProvince', 'zip', 'phone'],
  organizer: ['phone', 'email', 'website'],
}

/** All words must occur in one field, or in the name if the record is locked. */
export function findsLinked(search: string, record: LinkedFacts, language: Language, open: boolean): boolean {
  const { kind, texts, contact } = record
  const shown = [...postFields(texts, language), ...searched[kind].map((name) => line(contact[name] ?? ''))]
  const fields = open ? shown : [nameField(texts, language)]
  const fragments = (fold(search).match(/[\p{L}\p{N}-]+/gu) ?? []).map(bare)
  return fields.some((field) => fragments.every((fragment) => field.includes(fragment)))
}

export const findsTerm = (search: string, texts: OwnTexts, language: Language): boolean =>
  [served(texts, language, 'name'), served(texts, language, 'slug')].some((field) => line(field).includes(bare(search)))

const collator = new Intl.Collator('en')

export const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** ICU root collation, then bytes. */
export const compareText = (one: string, other: string) => collator.compare(one, other) || compareBytes(one, other)

export type Compare<T> = (one: T, other: T) => number

/** Compares by several criteria in order. */
export const inOrder =
  <T>(...compares: readonly Compare<T>[]): Compare<T> =>
  (one, other) => {
    for (const compare of compares) {
      const sign = compare(one, other)
      if (sign !== 0) return sign
    }
    return 0
  }

export const by =
  <T>(value: (item: T) => number): Compare<T> =>
  (one, other) =>
    value(one) - value(other)

export const backwards =
  <T>(compare: Compare<T>): Compare<T> =>
  (one, other) =>
    compare(other, one)
