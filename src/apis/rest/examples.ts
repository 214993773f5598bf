// The examples in /doc, one per operation. test/contract/examples.test.ts records them with the sample data.
import { readFileSync } from 'node:fs'
import type { Settings } from '../../basics/env.ts'
import { memoizeByObject, memoizeOnce } from '../../basics/memoize.ts'

export interface ApiExample {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: object
  /** The recorded response; undefined for operations that describe the API itself. */
  readonly response?: { readonly status: number; readonly body: object }
  /** Error bodies by status, as anonymous clients get them. */
  readonly errors?: Readonly<Record<string, object>>
  /** The GraphQL operations that the request executed, by their name in `operations`. */
  readonly graphql: readonly { readonly operation: string; readonly variables: object }[]
}

export interface ExampleFile {
  readonly operations: Readonly<Record<string, string>>
  readonly examples: Readonly<Record<string, ApiExample>>
}

/** Hosts in the recorded examples, under the reserved domain `.invalid`. */
export const exampleHosts = { service: 'https://service.invalid', pages: 'https://pages.invalid' } as const

const readFile = memoizeOnce(() => readFileSync(new URL('examples.json', import.meta.url), 'utf8'))

export const readExamples = memoizeByObject(
  (settings: Settings): ExampleFile => JSON.parse(localized(settings)) as ExampleFile,
)

function localized({ publicUrl, pagesUrl, restPrefix, restNamespace, restCategoryTaxonomy }: Settings): string {
  const { service, pages } = exampleHosts
  return readFile()
    .replaceAll(`${service}/cal/events/v1`, jsonEscape(`${publicUrl}${restPrefix}/${restNamespace}`))
    .replaceAll(service, jsonEscape(publicUrl))
    .replaceAll(pages, jsonEscape(pagesUrl))
    .replaceAll(withoutScheme(pages), jsonEscape(withoutScheme(pagesUrl)))
    .replaceAll('"cal/events/v1"', JSON.stringify(restNamespace))
    .replaceAll('"cal_events_cat"', JSON.stringify(restCategoryTaxonomy))
}

const withoutScheme = (url: string) => url.replace(/^[a-z]+:\/\//, '')

const jsonEscape = (value: string) => JSON.stringify(value).slice(1, -1)
