import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp

interface Endpoint {
  readonly methods: readonly string[]
  readonly args: object
}

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Our calendar', REST_HEADER_PREFIX: 'X-Ours', PER_PAGE_DEFAULT: '7' })
})
afterAll(() => app?.close())

describe('the index', () => {
  test.each(['/cal/events/v1', '/cal/events/v1/', '/fr/cal/events/v1?namespace=cal/events/v1&context=edit'])(
    'at %s names every path with its methods and parameters',
    async (url) => {
      const { status, body } = await app.get(url)
      expect([status, body.namespace]).toEqual([200, 'cal/events/v1'])
      const { routes } = body
      expect(Object.keys(routes)).toHaveLength(15)
      expect(routes['/cal/events/v1/events']).toMatchObject({ namespace: 'cal/events/v1', methods: ['GET', 'POST'] })
      const single = routes['/cal/events/v1/events/(?P<id>\\d+)']
      expect(single.methods).toEqual(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect(single._links).toBeUndefined()
      const [list] = routes['/cal/events/v1/events'].endpoints
      expect(list.methods).toEqual(['GET'])
      expect(list.args.page).toMatchObject({ required: false, default: 1, type: 'integer' })
      expect(list.args.translation_language).toMatchObject({ required: false, enum: ['en', 'fr', 'es'] })
      expect(routes['/cal/events/v1'].endpoints[0].args.context).toMatchObject({ default: 'view', required: false })
    },
  )

  test('links to itself and its parent under the requested root', async () => {
    const { body } = await app.get('/fr/cal/events/v1')
    expect(body._links).toEqual({ up: [{ href: 'http://calendar.test/fr/' }] })
    const self = body.routes['/cal/events/v1/events']._links.self
    expect(self).toEqual([{ href: 'http://calendar.test/fr/cal/events/v1/events' }])
    expect((await app.get(new URL(self[0].href).pathname)).status).toBe(200)
  })

  test('shows defaults, including those of the settings, and no internal parameters', async () => {
    const { body } = await app.get('/cal/events/v1')
    const argsOf = (path: string, method: string) =>
      body.routes[`/cal/events/v1${path}`].endpoints.find(({ methods }: Endpoint) => methods.includes(method)).args
    expect(argsOf('', 'GET').namespace).toMatchObject({ default: 'cal/events/v1', required: false })
    for (const list of ['/events', '/venues', '/organizers', '/categories', '/tags']) {
      expect(argsOf(list, 'GET').per_page, list).toMatchObject({ default: 7, required: false })
    }
    expect(argsOf('/events', 'GET').strict_dates).toMatchObject({ default: false, required: false })
    expect(argsOf('/venues', 'GET').only_with_upcoming).toMatchObject({ default: false, required: false })
    for (const kind of ['events', 'venues', 'organizers']) {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const args = argsOf(`/${kind}/by-slug/(?P<slug>[^/]+)`, method)
        expect([kind, method, args.slug?.required, args.current_slug]).toEqual([kind, method, true, undefined])
      }
    }
    expect(JSON.stringify(body)).not.toContain('current_slug')
  })

  test.each(['wp/v2', ''])('rejects the namespace %j', async (namespace) => {
    const { status, body } = await app.get(`/cal/events/v1?namespace=${namespace}`)
    expect([status, body.code]).toEqual([404, 'rest_invalid_namespace'])
  })

  test('equals the response to OPTIONS of each path', async () => {
    const { body } = await app.get('/cal/events/v1')
    const { body: options } = await app.get('/cal/events/v1/events', { method: 'OPTIONS' })
    expect(body.routes['/cal/events/v1/events']).toMatchObject(options)
  })
})

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { status, body } = await app.get('/cal/events/v1/doc')
    expect(status).toBe(200)
    expect(await new Validator().validate(body)).toEqual({ valid: true })
    expect(Object.keys(body).toSorted()).toEqual(['components', 'info', 'openapi', 'paths', 'servers'])
    expect(body.openapi).toBe('3.1.0')
    expect(body.info).toMatchObject({ title: 'Our calendar', version: '1.0.0', description: expect.any(String) })
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual([
      'http://calendar.test/cal/events/v1/',
      'http://calendar.test/en/cal/events/v1/',
      'http://calendar.test/fr/cal/events/v1/',
      'http://calendar.test/es/cal/events/v1/',
    ])
  })

  test('has every path, method and parameter of the index', async () => {
    const [{ body: doc }, { body: index }] = await Promise.all([
      app.get('/cal/events/v1/doc'),
      app.get('/cal/events/v1'),
    ])
    for (const [pattern, { endpoints }] of Object.entries<{ endpoints: Endpoint[] }>(index.routes)) {
      const path = pattern.slice('/cal/events/v1'.length).replace(/\(\?P<(\w+)>[^)]*\)/g, '{$1}') || '/'
      for (const { methods, args } of endpoints) {
        for (const method of methods) {
          const { parameters, requestBody, responses } = doc.paths[path][method.toLowerCase()]
          const inBody = Object.keys(requestBody?.content['application/json'].schema.properties ?? {})
          const documented = new Set([...parameters.map(({ name }: { name: string }) => name), ...inBody])
          for (const name of Object.keys(args)) expect(documented).toContain(name)
          expect(Object.keys(responses)).toContain(path.includes('{') || method === 'GET' ? '200' : '201')
        }
      }
    }
  })

  test('has path parameters and content types of bodies', async () => {
    const { body } = await app.get('/cal/events/v1/doc')
    const { put } = body.paths['/events/by-slug/{slug}']
    expect(put.parameters.filter(({ in: place }: { in: string }) => place === 'path')).toMatchObject([
      { name: 'slug', required: true },
    ])
    expect(Object.keys(put.requestBody.content)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
    expect(put.requestBody.content['application/json'].schema.properties.slug).toBeDefined()
    const { post } = body.paths['/events']
    expect(post.requestBody.content['application/json'].schema.required).toEqual(['title', 'start_date', 'end_date'])
    expect(Object.keys(body.paths['/events'].get.responses['200'].headers)).toEqual([
      'X-Ours-Total',
      'X-Ours-TotalPages',
    ])
  })

  test('has defaults of lists and errors of bodies', async () => {
    const { body } = await app.get('/cal/events/v1/doc')
    const { get, post } = body.paths['/venues']
    const byName = new Map(get.parameters.map((parameter: { name: string }) => [parameter.name, parameter]))
    expect(byName.get('per_page')).toMatchObject({ schema: { default: 7 } })
    expect(byName.get('only_with_upcoming')).toMatchObject({ schema: { default: false } })
    expect(post.responses['415']).toBeDefined()
    expect(get.responses['415']).toBeUndefined()
    const { status } = await app.send('POST', '/cal/events/v1/venues', '<venue/>', {
      'content-type': 'no media type',
    })
    expect(status).toBe(415)
  })

  test('lists the language roots as servers', async () => {
    const { body } = await app.get('/es/cal/events/v1/doc')
    expect(body.servers[0].url).toBe('http://calendar.test/es/cal/events/v1/')
    expect(new Set(body.servers.map(({ url }: { url: string }) => url)).size).toBe(4)
  })
})
