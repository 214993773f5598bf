// The example tabs of GraphiQL. They do not refer to specific records, so they work with any content.
import { readFileSync } from 'node:fs'
import { languageCode } from '../../../basics/language.ts'

export interface GraphiqlTab {
  readonly query: string
  /** The variables of the tab, as JSON with comments. */
  readonly variables?: string
  readonly headers?: string
}

const example = (name: string) => readFileSync(new URL(`examples/${name}`, import.meta.url), 'utf8')

/** Creates the example tabs, which read and write in `language`, one of the site's `languages`. */
export function exampleTabs(language: string, languages: readonly string[], now: Date): readonly GraphiqlTab[] {
  const localized = (name: string) => example(name).replace('EN', languageCode(language))
  const headers = example('sign-in.jsonc')
  return [
    { query: localized('next-events.graphql') },
    { query: example('month-and-facets.graphql') },
    { query: example('every-language.graphql') },
    { query: example('find-events.graphql'), variables: example('find-events.jsonc') },
    {
      query: localized('create-event.graphql'),
      variables: `${JSON.stringify({ input: newEvent(language, languages, now) }, null, 2)}\n`,
      headers,
    },
    { query: example('form-errors.graphql'), headers },
    { query: example('event-changes.graphql') },
  ]
}

const titles: Readonly<Record<string, string>> = { en: 'Music day', fr: 'Fête de la musique', es: 'Día de la música' }

function newEvent(language: string, languages: readonly string[], now: Date) {
  const others = languages.filter((other) => other !== language && titles[other] !== undefined)
  const day = `${now.getUTCFullYear() + 1}-06-21`
  return {
    title: titles[language] ?? titles.en,
    translations: others.map((other) => ({ language: languageCode(other), name: titles[other] })),
    startsLocal: `${day}T18:00:00`,
    endsLocal: `${day}T23:30:00`,
    timeZone: 'Europe/Paris',
    venues: [{ create: { name: 'Place Bellecour', city: 'Lyon' } }],
    categories: [{ nameOrSlug: 'Concerts' }],
  }
}
