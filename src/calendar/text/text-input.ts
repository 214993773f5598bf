// Checks and cleans text of inputs before it is stored.
import { isEmail } from '../../basics/contact-links.ts'
import { badInputError } from '../../basics/errors.ts'
import { checkAll, checkEachItem } from '../../basics/input-errors.ts'
import { maxTextLength, tooLongMessage } from '../../basics/input-limits.ts'
import { languageCode } from '../../basics/language.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { normalizeUnicode } from './normalize.ts'
import { sanitizeHtmlText } from './sanitize-html.ts'
import type { TextChange, TextMarks } from './write-text.ts'

/** Reads a title or name as one line of plain text. Throws badInputError if empty or too long. */
export function readNameInput(field: string, text: string | null | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = readLineInput(text ?? '') ?? ''
  if (name === '') throw badInputError({ [field]: `${field} must not be empty.` })
  if (name.length > maxNameLength)
    throw badInputError({ [field]: `${field} can have at most ${maxNameLength} characters.` })
  return name
}

/** Maximum of characters of a name. Names are indexed, and an entry of a B-tree index can have at most 2,704 bytes. */
const maxNameLength = 800

export const readLineInput = (text: string | null | undefined): string | undefined =>
  text == null
    ? undefined
    : normalizeUnicode(text.toWellFormed(), 'NFC')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()

/** Reads plain text of several lines. */
export const readTextInput = (text: string | null | undefined): string | undefined =>
  text?.toWellFormed().replaceAll('\0', '').trim()

/** Replaces lone surrogates in the texts of a JSON value: PostgreSQL rejects them. */
export function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(toWellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), toWellFormed(item)]))
}

/** Sanitizes HTML. Limits the length of the result, so that clients can send back any text that they read. */
export async function readHtmlInput(
  field: string,
  html: string | null | undefined,
): Promise<string | null | undefined> {
  if (html == null) return html
  const safe = await sanitizeHtmlText(html.toWellFormed())
  if (safe.length <= maxTextLength) return safe
  throw badInputError({
    [field]: `${tooLongMessage(field, maxTextLength)} Escaping & and closing tags made it longer.`,
  })
}

interface TextFieldsInput {
  readonly description?: string | null | undefined
  readonly excerpt?: string | null | undefined
  readonly slug?: string | null | undefined
}

const TranslationMark = builder.enumType('TranslationMark', {
  description: 'Review state of a translation.',
  values: {
    CURRENT: { value: 'current' as const, description: 'The translation matches the original text.' },
    IN_REVIEW: { value: 'inReview' as const, description: 'The translation waits for a review.' },
  },
})

export const minorChangeField = (t: InputFields) =>
  t.boolean({
    description: 'Set it for a small correction such as a typo: existing translations then stay current.',
  })

export const TranslationInput = builder.inputType('TranslationInput', {
  description:
    'Text in another language than the language of the operation. Fields that the input omits stay unchanged; null removes the text.',
  fields: (t) => ({
    language: t.field({ type: LanguageCode, required: true, description: 'Language of this text.' }),
    name: t.string({ description: 'Title of an event, or name of another record.' }),
    description: t.string({ description: 'Description as HTML, or as text with blank lines between paragraphs.' }),
    excerpt: t.string({ description: 'A short description. Ignored for categories and tags.' }),
    slug: t.string({ description: 'Name in URLs; by default derived from the title or name.' }),
    state: t.field({
      type: TranslationMark,
      description:
        'Marks the translation, also without a change of its text. A text in the language of the operation can be marked here, too. See `translationTasks`.',
    }),
  }),
})

interface TextsInput extends TextFieldsInput {
  readonly name?: string | null | undefined
  readonly minorChange?: boolean | null | undefined
  readonly translations?: readonly (typeof TranslationInput.$inferInput)[] | null | undefined
}

interface Options {
  /** The field of the input that has the title or name. */
  readonly nameField?: string
  readonly clean?: (text: TextFieldsInput) => TextChange | Promise<TextChange>
}

/**
 * Checks the texts of an input and returns them by language. `original` is the first language of the record. Throws one badInputError
 * with all problems.
 */
export function parseTexts(
  input: TextsInput,
  original: string,
  language: string,
  { nameField = 'name', clean = cleanTexts }: Options = {},
): Promise<Map<string, TextChange>> {
  const check = async (
    checkName: () => string | null | undefined,
    text: TextFieldsInput,
    state?: TextMarks['state'] | null,
  ): Promise<TextChange> => {
    const { name, others } = await checkAll({ name: checkName, others: () => clean(text) })
    return { name, ...others, isMinor: input.minorChange ?? undefined, state: state ?? undefined }
  }
  const own = () => check(() => readNameInput(nameField, input.name), input)
  return collectByLanguage(language, own, input.translations, ({ language: other, name, state, ...text }) =>
    check(
      () => (name === null ? checkNameRemoval('name', 'title or name', other, original) : readNameInput('name', name)),
      text,
      state,
    ),
  )
}

/** Returns the changed texts by language: `own` for `language`, and the translations. Throws one badInputError with all problems. */
export async function collectByLanguage<Change extends object, Translation extends { readonly language: string }>(
  language: string,
  own: () => Change | Promise<Change>,
  translations: readonly Translation[] | null | undefined,
  check: (translation: Translation) => Change | Promise<Change>,
): Promise<Map<string, Change>> {
  const all = translations ?? []
  const checkTranslation = async (translation: Translation) => {
    const { language } = translation
    const { change } = await checkAll({
      language: () => {
        if (all.find((other) => other.language === language) === translation) return
        throw badInputError({ language: `The language ${languageCode(language)} occurs twice.` })
      },
      change: () => check(translation),
    })
    return [language, change] as const
  }
  const checked = await checkAll({ own, others: () => checkEachItem('translations', all, checkTranslation) })
  const changes = new Map([[language, checked.own as Change]])
  for (const [other, change] of checked.others)
    changes.set(other, { ...changes.get(other), ...omitUndefined(change) } as Change)
  return changes
}

/** Throws badInputError for the original language: other languages fall back to its title or name. */
export function checkNameRemoval(field: string, label: string, language: string, original: string): null {
  if (language !== original) return null
  throw badInputError({
    [field]: `The ${label} in ${languageCode(original)} cannot be removed: it is the original language.`,
  })
}

async function cleanTexts({ description, excerpt, slug }: TextFieldsInput): Promise<TextChange> {
  const html = await checkAll({
    description: () => readHtmlInput('description', description),
    excerpt: () => readHtmlInput('excerpt', excerpt),
  })
  return { ...html, slug }
}

export const omitUndefined = <Change extends object>(change: Change | undefined): Partial<Change> =>
  Object.fromEntries(Object.entries(change ?? {}).filter(([, value]) => value !== undefined)) as Partial<Change>

export function checkEmail(field: string, email: string | null | undefined): string | undefined {
  const text = readLineInput(email)
  if (!text || isEmail(text)) return text
  throw badInputError({ [field]: `${field} must be an address such as ada@example.org, or empty.` })
}

export function checkUrl(field: string, url: string | null | undefined): string | undefined {
  const text = readLineInput(url)
  if (text === undefined || text === '') return text
  if (URL.canParse(text) && !/\s/.test(text) && !/^(javascript|vbscript|data):/i.test(text)) return text
  throw badInputError({ [field]: `${field} must be an absolute URL such as https://example.org, or empty.` })
}
