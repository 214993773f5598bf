// The read engine compiles all reads of REST, the pages and GraphiQL's examples.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onRead } from '../../src/engine/postgres/query.ts'
import { exampleTabs } from '../../src/service/graphql/graphiql/tabs.ts'
import { type ApiClient, type Method, now, serve, type TestApp, unverified } from '../helpers/app.ts'
import { exampleRequests } from '../helpers/example-requests.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

let sample: SampleApp
let engines: string[] = []

beforeAll(async () => {
  sample = await openSampleApp({ CACHE_BYTES: '0', ...unverified })
  onRead(sample.db, (engine) => engines.push(engine))
})
afterAll(() => sample?.close())

async function expectCompiled(name: string, request: () => Promise<{ status: number }>): Promise<void> {
  engines = []
  const { status } = await request()
  expect(status, name).toBeLessThan(500)
  expect(engines.includes('prisma'), name).toBe(false)
}

interface Example {
  readonly verb: 'GET' | Method
  readonly url: string
  readonly payload: object | undefined
}

/** The requests of the documentation, in its order. */
async function examples(): Promise<Example[]> {
  const { body } = await sample.get('/cal/events/v1/doc')
  return Object.entries<Record<string, { operationId: string }>>(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => {
      const { path: parameters = {}, query = {}, body: payload } = exampleRequests[operationId] ?? {}
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
      const url = `/cal/events/v1${filled}?${new URLSearchParams(query as Record<string, string>)}`
      return { verb: method.toUpperCase() as Example['verb'], url, payload }
    }),
  )
}

describe('the read engine compiles', { shuffle: false }, () => {
  describe.each(['on', 'off'])('LANGUAGE_FALLBACK=%s', (fallback) => {
    let app: TestApp
    let administrator: ApiClient

    beforeAll(async () => {
      app = await serve(sample, { LANGUAGE_FALLBACK: fallback, CACHE_BYTES: '0', ...unverified })
      administrator = app.as(sample)
    })
    afterAll(() => app?.app.close())

    test('REST reads, in each language', async () => {
      let reads = 0
      for (const { verb, url } of await examples()) {
        if (verb !== 'GET') continue
        for (const root of fallback === 'on' ? ['', '/fr', '/es'] : ['/fr']) {
          await expectCompiled(`${root}${url}`, () => app.get(`${root}${url}`))
          reads += engines.length
        }
      }
      expect(reads).toBeGreaterThan(fallback === 'on' ? 40 : 10)
    })

    test('REST lists with each of their parameters use the read engine', async () => {
      const { body } = await app.get('/cal/events/v1/doc')
      const values: Readonly<Record<string, string>> = {
        integer: '1',
        number: '48.8',
        boolean: 'true',
        string: 'a',
        array: '1',
      }
      interface Parameter {
        readonly name: string
        readonly in: string
        readonly example?: unknown
        readonly schema?: { readonly type?: string; readonly enum?: readonly string[] }
      }
      for (const path of ['/events', '/venues', '/organizers', '/categories', '/tags']) {
        for (const { name, in: place, example, schema } of body.paths[path].get.parameters as Parameter[]) {
          if (place !== 'query') continue
          const value = String(example ?? schema?.enum?.[0] ?? values[schema?.type ?? 'string'])
          await expectCompiled(`${path}?${name}=${value}`, () =>
            app.get(`/cal/events/v1${path}?${new URLSearchParams({ [name]: value })}`),
          )
        }
      }
    })

    test('the examples of GraphiQL', async () => {
      const { languages } = app.settings
      for (const language of fallback === 'on' ? languages : ['fr']) {
        for (const { query, variables } of exampleTabs(language, languages, now)) {
          if (query.includes('subscription ')) continue
          const values = JSON.parse((variables ?? '{}').replace(/^\s*\/\/.*$/gm, '')) as Record<string, unknown>
          await expectCompiled(query, () => administrator.graphql(query, values, `/${language}`))
        }
      }
    })

    test('the pages', async () => {
      const urls = new Set(['/', '/fr', '/es'])
      for (const url of urls) {
        await expectCompiled(url, async () => {
          const { status, body } = await app.get(url, { headers: { accept: 'text/html' } })
          const links = [
            ...String(body).matchAll(
              /href="(?:http:\/\/calendar\.test)?(\/(?:fr\/|es\/)?(?:event|venue|organizer|events\/category|tag)\/[^"]*)"/g,
            ),
          ]
          for (const [, link = ''] of links) if (urls.size < 20) urls.add(link)
          return { status }
        })
      }
      expect(urls.size).toBe(20)
    })
  })

  // Afterwards, some of the records that the examples read are gone.
  test('REST writes', async () => {
    let reads = 0
    for (const { verb, url, payload } of await examples()) {
      if (verb === 'GET') continue
      await expectCompiled(`${verb} ${url}`, () => sample.administrator.send(verb, url, payload))
      reads += engines.length
    }
    expect(reads).toBeGreaterThan(20)
  })
})
