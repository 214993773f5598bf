// The examples in /doc: src/apis/rest/examples.json must match what the service does.
import { execFileSync } from 'node:child_process'
import Fastify, { type FastifyInstance } from 'fastify'
import { type DocumentNode, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiExample, exampleHosts } from '../../src/apis/rest/examples.ts'
import { restPlugin } from '../../src/apis/rest/plugin.ts'
import { createRequestPasswordReader } from '../../src/calendar/rules/request-password.ts'
import { createResponseCache } from '../../src/engine/cache/response-cache.ts'
import { createSchema } from '../../src/schema.ts'
import { createSignIn } from '../../src/service/auth/sign-in.ts'
import { createExecute, type Execute } from '../../src/service/graphql/execute.ts'
import { keepQueryText } from '../../src/service/http/query-of.ts'
import { createRateLimits } from '../../src/service/http/rate-limits.ts'
import { serve } from '../helpers/app.ts'
import { type ExampleRequest, exampleRequests, invalidRequests } from '../helpers/example-requests.ts'
import { expectDocumented } from '../helpers/openapi-responses.ts'
import { openSampleApp, type SampleApp } from '../helpers/sample.ts'

interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example?: ExampleRequest['body'] } }
  }
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { readonly example?: object } } }>
  >
  readonly 'x-graphql'?: GraphqlExample | readonly GraphqlExample[]
}

interface GraphqlExample {
  readonly query: string
  readonly variables: Record<string, unknown>
}

const namespace = '/cal/events/v1'

/** All operations in /doc, in its order. */
async function operationsOf(app: SampleApp): Promise<readonly Operation[]> {
  const { body } = await app.get(`${namespace}/doc`)
  return Object.entries<Record<string, object>>(body.paths).flatMap(([path, operationsOfPath]) =>
    Object.entries(operationsOfPath).map(([method, operation]) => ({ ...operation, method, path }) as Operation),
  )
}

/** Sends reads without a credential, and writes with `authorization`. */
async function send(
  service: FastifyInstance,
  { method, path }: Operation,
  request: ExampleRequest,
  authorization: string | undefined,
): Promise<{ status: number; body: object }> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(request.path?.[name])))
  const reply = await service.inject({
    method: method.toUpperCase() as 'GET',
    url: `${namespace}${filled}`,
    query: request.query as Record<string, string>,
    ...(request.body ? { payload: request.body } : {}),
    headers: authorization && method !== 'get' ? { authorization } : {},
  })
  return { status: reply.statusCode, body: reply.json() }
}

describe('src/apis/rest/examples.json', { shuffle: false }, () => {
  let app: SampleApp
  let operations: readonly Operation[] = []
  const rest = Fastify({ routerOptions: { querystringParser: keepQueryText } })
  /** GraphQL operations that the REST API has executed. */
  const executed: { document: DocumentNode; variables: object }[] = []
  const responses: Record<string, Awaited<ReturnType<typeof send>>> = {}

  beforeAll(async () => {
    app = await openSampleApp({ PUBLIC_URL: exampleHosts.service, PAGES_URL: exampleHosts.pages })
    const { db, settings, site, clock } = app
    const cache = createResponseCache(app.database, db, 0)
    const execute = createExecute(createSchema(settings.languages), { settings })
    const recording: Execute = (document, variables, context) => {
      executed.push({ document, variables })
      return execute(document, variables, context)
    }
    const limits = { rateLimits: createRateLimits(settings), requestPassword: createRequestPasswordReader(settings) }
    const environment = { db, settings, site, now: () => clock.now, signIn: createSignIn(settings), ...limits }
    restPlugin(rest, { ...environment, cache }, recording)
  })
  afterAll(() => app?.close())

  test('matches the responses of the service (run with a trailing -u to update it)', async () => {
    const documents: Record<string, string> = {}
    const examples: Record<string, ApiExample> = {}
    operations = await operationsOf(app)
    for (const operation of operations) {
      const { operationId } = operation
      const request = exampleRequests[operationId] ?? expect.fail(`${operationId} has no example`)
      const errors = await errorExamples(rest, operation)
      executed.splice(0)
      const { status, body } = await send(rest, operation, request, app.authorization)
      responses[operationId] = { status, body }
      const graphql = executed.map(({ document, variables }) => {
        const name = nameOf(document)
        documents[name] = print(document)
        return { operation: name, variables }
      })
      // Routes that describe the API have no example.
      const response = graphql.length === 0 ? {} : { response: { status, body } }
      examples[operationId] = { ...request, ...response, ...errors, graphql }
    }
    const text = formatted(JSON.stringify({ operations: documents, examples }))
    await expect(text).toMatchFileSnapshot('../../src/apis/rest/examples.json')
  })

  test('is what /doc has: the requests that were sent, and their responses', async () => {
    const texts = (values: object = {}) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))
    expect(operations.length).toBeGreaterThan(0)
    for (const operation of operations) {
      const { operationId, parameters, requestBody } = operation
      const examplesOf = (location: string) =>
        texts(
          Object.fromEntries(
            parameters
              .filter(({ in: parameterLocation, example }) => parameterLocation === location && example !== undefined)
              .map(({ name, example }) => [name, example]),
          ),
        )
      const request = exampleRequests[operationId] ?? {}
      const body = requestBody?.content['application/json'].example
      expect([operationId, body !== undefined]).toEqual([operationId, requestBody !== undefined])
      expect([operationId, examplesOf('path'), examplesOf('query'), body]).toEqual([
        operationId,
        texts(request.path),
        texts(request.query),
        request.body,
      ])
      // The index and /doc are no part of the plugin.
      const isOperation = operation['x-graphql'] !== undefined
      const reply = isOperation ? responses[operationId] : await send(app.app, operation, request, app.authorization)
      if (!reply) expect.fail(`${operationId} was not sent`)
      expect([operationId, reply.status]).toEqual([operationId, operationId.match(/^post[A-Z][a-z]+$/) ? 201 : 200])
      if (!isOperation) continue
      const example = operation.responses[reply.status]?.content['application/json'].example
      expect(example, operationId).toEqual(reply.body)
      expectDocumented(operation.method, `${namespace}${operation.path.replace(/\{\w+\}/, '1')}`, reply.status, example)
    }
  })
})

async function errorExamples(service: FastifyInstance, operation: Operation) {
  const requests = invalidRequests.filter(([operationId]) => operationId === operation.operationId)
  const errors: Record<string, object> = {}
  for (const [, request] of requests) {
    const { status, body } = await send(service, operation, request, undefined)
    expect(status, operation.operationId).toBeGreaterThanOrEqual(400)
    errors[status] = body
  }
  return requests.length > 0 ? { errors } : {}
}

const nameOf = ({ definitions }: DocumentNode) =>
  definitions
    .map((definition) => (definition.kind === 'OperationDefinition' ? definition.name?.value : undefined))
    .find(Boolean) ?? ''

const formatted = (json: string) =>
  execFileSync('node_modules/.bin/biome', ['format', '--stdin-file-path=examples.json'], {
    input: json,
    encoding: 'utf8',
  })

describe('every example in /doc', () => {
  let app: SampleApp

  beforeAll(async () => {
    app = await openSampleApp()
  })
  afterAll(() => app?.close())

  test('has a GraphQL operation that returns data when sent in the order of the document', async () => {
    for (const operation of await operationsOf(app)) {
      const graphql = [operation['x-graphql'] ?? []].flat()
      expect([operation.operationId, graphql.length > 0]).toEqual([
        operation.operationId,
        !/Index|Doc/.test(operation.operationId),
      ])
      for (const { query, variables } of graphql) {
        const { status, body } = await app.administrator.graphql(query, variables)
        expect([operation.operationId, status, body.errors]).toEqual([operation.operationId, 200, undefined])
        const [payload] = Object.values<{ userErrors?: object[] } | null>(body.data)
        expect(payload, operation.operationId).not.toBeNull()
        expect(payload?.userErrors ?? [], operation.operationId).toEqual([])
      }
    }
  })

  test('has URLs of the service', async () => {
    const { app: service, get: read } = await serve(app, {
      ...{ PUBLIC_URL: 'https://our.test/calendar', PAGES_URL: 'https://pages.test' },
      ...{ REST_PREFIX: '/api', REST_NAMESPACE: 'ours/v2' },
    })
    const { body } = await read('/fr/api/ours/v2/doc')
    const text = JSON.stringify(body)
    const { get } = body.paths['/events/{id}']
    expect(get.responses['200'].content['application/json'].example).toMatchObject({
      rest_url: 'https://our.test/calendar/api/ours/v2/events/65',
      url: 'https://pages.test/event/jazz-on-the-old-pier-rosa-quintero-trio/',
      global_id: 'pages.test?id=65',
    })
    expect(body.paths['/'].get.parameters[0].example).toBe('ours/v2')
    expect(text).not.toMatch(/\.invalid|cal\/events\/v1/)
    await service.close()
  })
})
