// Filters of all lists by the languages that records were written in.

import type { InputShapeFromFields } from '@pothos/core'
import { kinds, type RecordKind } from '../../kinds.ts'
import type { InputFields } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'

export function translationFilterFields(t: InputFields, kind: RecordKind) {
  const [records, text] = [kinds[kind].plural, kind === 'event' ? 'title' : 'name']
  return {
    translatedInto: t.field({
      type: [LanguageCode],
      description: `Only ${records} whose ${text} was written in at least one of these languages.`,
    }),
    missingTranslation: t.field({
      type: [LanguageCode],
      description: `Only ${records} that lack a ${text} of their own in at least one of these languages.`,
    }),
  }
}

type TranslationFilter = InputShapeFromFields<ReturnType<typeof translationFilterFields>>

const isNamed = { written: { has: 'name' } }

/** Every record has a row of text in each language of the site. */
export const translationWhere = ({ translatedInto, missingTranslation }: TranslationFilter) => [
  ...(translatedInto ? [{ texts: { some: { language: { in: [...translatedInto] }, ...isNamed } } }] : []),
  ...(missingTranslation ? [{ texts: { some: { language: { in: [...missingTranslation] }, NOT: isNamed } } }] : []),
]
