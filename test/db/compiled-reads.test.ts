// The read engine compiles all reads of REST, the pages and GraphiQL's examples.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onRead } from '../../src/engine/postgres/query.ts'
import { exampleTabs } from '../../src/service/graphql/graphiql/tabs.ts'
import { now } from '../helpers/app.ts'
import { exampleRequests } from '../helpers/example-requests.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

describe.each(['on', 'off'])('LANGUAGE_FALLBACK=%s', (fallback) => {
  let app: SampleApp
  let engines: string[] = []

  beforeAll(async () => {
    app = await openSampleApp({ LANGUAGE_FALLBACK: fallback, CACHE_BYTES: '0' })
    onRead(app.db, (engine) => engines.push(engine))
  })
  afterAll(() => app?.close())

  async function expectCompiled(name: string, request: () => Promise<{ status: number }>): Promise<void> {
    engines = []
    const { status } = await request()
    expect(status, name).toBeLessThan(500)
    expect(engines.includes('prisma'), name).toBe(false)
  }

  test('REST reads and writes, in each language', async () => {
    const { body } = await app.get('/cal/events/v1/doc')
    let reads = 0
    for (const [path, operations] of Object.entries<Record<string, { operationId: string }>>(body.paths)) {
      for (const [method, { operationId }] of Object.entries(operations)) {
        const { path: parameters = {}, query = {}, body: payload } = exampleRequests[operationId] ?? {}
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
        for (const root of method === 'get' ? ['', '/fr', '/es'] : ['']) {
          const url = `${root}/cal/events/v1${filled}?${new URLSearchParams(query as Record<string, string>)}`
          const verb = method.toUpperCase() as 'POST'
          const request = () => (method === 'get' ? app.get(url) : app.administrator.send(verb, url, payload))
          await expectCompiled(`${verb} ${url}`, request)
          reads += engines.length
        }
      }
    }
    expect(reads).toBeGreaterThan(100)
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
    for (const language of languages) {
      for (const { query, variables } of exampleTabs(language, languages, now)) {
        if (query.includes('subscription ')) continue
        const values = JSON.parse((variables ?? '{}').replace(/^\s*\/\/.*$/gm, '')) as Record<string, unknown>
        await expectCompiled(query, () => app.administrator.graphql(query, values, `/${language}`))
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
        for (const [, link = ''] of links) if (urls.size < 40) urls.add(link)
        return { status }
      })
    }
    expect(urls.size).toBe(40)
  })
})
