// What /doc shows of each operation. test/contract/examples.test.ts takes it from the running service, with the sample.
import { readFileSync } from 'node:fs'
import type { Settings } from '../env.ts'
import { memoizeByObject, memoizeOnce } from '../memoize.ts'

export interface Example {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: object
  /** Of an operation whose answer is about the interface, none is kept. */
  readonly answer?: { readonly status: number; readonly body: object }
  /** What a visitor is told by status, when the request is another or not allowed. */
  readonly refused?: Readonly<Record<string, object>>
  /** What ran, by names of `operations`. */
  readonly graphql: readonly { readonly operation: string; readonly variables: object }[]
}

export interface ExampleFile {
  readonly operations: Readonly<Record<string, string>>
  readonly examples: Readonly<Record<string, Example>>
}

/** Where the service of the examples has its interface and its pages: hosts that exist nowhere. */
export const exampleHosts = { service: 'https://service.invalid', pages: 'https://pages.invalid' } as const

const readFile = memoizeOnce(() => readFileSync(new URL('examples.json', import.meta.url), 'utf8'))

/** The examples as this service would answer them: with its addresses. */
export const readExamples = memoizeByObject(
  (settings: Settings): ExampleFile => JSON.parse(localized(settings)) as ExampleFile,
)

function localized({ publicUrl, pagesUrl, restPrefix, restNamespace }: Settings): string {
  const { service, pages } = exampleHosts
  return readFile()
    .replaceAll(`${service}/cal/events/v1`, inJson(`${publicUrl}${restPrefix}/${restNamespace}`))
    .replaceAll(pages, inJson(pagesUrl))
    .replaceAll(withoutScheme(pages), inJson(withoutScheme(pagesUrl)))
    .replaceAll('"cal/events/v1"', JSON.stringify(restNamespace))
}

const withoutScheme = (url: string) => url.replace(/^[a-z]+:\/\//, '')

const inJson = (value: string) => JSON.stringify(value).slice(1, -1)
