// The enum LanguageCode, whose values are the languages of the site.
import { languageCode } from '../../basics/language.ts'
import { builder } from './builder.ts'

const noValues: Readonly<Record<string, { readonly value: string }>> = {}

/** The enum LanguageCode. Its internal values are language tags as in LANGUAGES. */
export const LanguageCode = builder.enumType('LanguageCode', {
  description: 'A language of the site.',
  values: noValues,
})

/** Sets the values that the enum has in schemas which are built from now on. */
export function setLanguageCodes(languages: readonly string[]): void {
  const values = Object.fromEntries(
    languages.map((language) => [languageCode(language), { value: language, description: `BCP 47: ${language}.` }]),
  )
  LanguageCode.updateConfig((config) => ({ ...config, values }))
}
