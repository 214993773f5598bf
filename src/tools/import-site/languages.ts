// Reads the language and the translations of a record, as the plugins Polylang and WPML add them.
import { z } from 'zod'
import { idSchema } from './fields.ts'

export type RecordLanguage = ReturnType<typeof readLanguage>

const shape = z.object({
  lang: z.string().min(1).optional().catch(undefined),
  translations: z.record(z.string(), idSchema).optional().catch(undefined),
  wpml_current_locale: z.string().min(1).optional().catch(undefined),
  wpml_translations: z
    .union([z.array(z.unknown()), z.record(z.string(), z.unknown()).transform((all) => Object.values(all))])
    .optional()
    .catch(undefined),
})
const wpmlTranslation = z.object({ locale: z.string(), id: idSchema })

/** Reads the language and translations of a record. `languages`: the imported languages, which need not include it. */
export function readLanguage(item: unknown, languages: readonly string[]) {
  const { lang, translations, wpml_current_locale, wpml_translations } = shape.parse(item)
  const code = lang ?? wpml_current_locale
  const pairs = [
    ...Object.entries(translations ?? {}),
    ...(wpml_translations ?? []).flatMap((value) => {
      const { data } = wpmlTranslation.safeParse(value)
      return data ? [[data.locale, data.id] as const] : []
    }),
  ]
  const ids = pairs.flatMap(([locale, id]) =>
    locale && id !== undefined ? [[matchLanguage(locale, languages), id] as const] : [],
  )
  return {
    /** The language of the record; undefined if the site does not say. */
    named: code === undefined ? undefined : matchLanguage(code, languages),
    /** The IDs of the translations by language; undefined if the site has no language plugin. */
    translations: translations || wpml_translations ? new Map(ids) : undefined,
  }
}

/** Returns the imported language for a locale such as `fr_FR`, or else the locale. */
function matchLanguage(locale: string, languages: readonly string[]): string {
  const code = locale.toLowerCase().replaceAll('_', '-')
  const primary = code.split('-')[0] ?? code
  return languages.find((each) => each === code) ?? languages.find((each) => each.split('-')[0] === primary) ?? code
}
