import type { Lang, Named } from './draft.ts'
import { plain, toHtml } from './html.ts'
import { str } from './raw.ts'

// The translations of 2018 have alternatives like "word(other word)"; the first one is used.
const wording = (row: unknown, path: string, lang: Lang): string =>
  str(row, `${path}.${lang}`).replace(lang === 'fr' ? /$^/ : /(?<=\p{L})\((?:\p{L}[\p{L}, ]+)\)/gu, '')

export const textsOf = (row: unknown): Named['texts'] =>
  Object.fromEntries(
    (['fr', 'en', 'es'] as const)
      .map((lang) => {
        const [name, long] = [plain(wording(row, 'title', lang)), toHtml(wording(row, 'longDescription', lang))]
        // The source truncates the short text to 200 characters.
        const short = wording(row, 'description', lang).replace(/^(?=.{190,200}$)(.+)\s\S*[^.!?»")…]$/s, '$1…')
        return [lang, { name, description: long || toHtml(short), excerpt: long && plain(short) }] as const
      })
      .filter(([, text]) => text.name && text.description),
  )
