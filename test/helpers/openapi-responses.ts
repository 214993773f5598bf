// Validates every REST response in tests against the OpenAPI document.
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { createOpenApiDocument } from '../../src/apis/rest/openapi.ts'
import { createRestRoutes } from '../../src/apis/rest/routes.ts'
import { readSettings } from '../../src/basics/env.ts'

interface Operation {
  readonly responses: Readonly<Record<string, { content?: { 'application/json': { schema: object } } }>>
}

const root = 'http://calendar.test/cal/events/v1/'
let loaded: { ajv: Ajv2020.default; paths: [RegExp, Readonly<Record<string, Operation>>][] } | undefined

function load() {
  if (loaded) return loaded
  const settings = readSettings({})
  const document = createOpenApiDocument(createRestRoutes(settings), root, settings)
  const ajv = new Ajv2020.default({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: root })
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const pattern = path === '/' ? '/?' : path.replace('{id}', '\\d+').replace('{slug}', '[^/]+')
    return [new RegExp(`^(/[a-z]{2})?/cal/events/v1${pattern}/?$`), operations] as const
  })
  loaded = { ajv, paths: paths as unknown as [RegExp, Readonly<Record<string, Operation>>][] }
  return loaded
}

/** Fails the test if a REST response does not match the OpenAPI document. Ignores other URLs. */
export function expectDocumented(method: string, url: string, status: number, body: unknown): void {
  const { ajv, paths } = load()
  const [path = ''] = url.split('?')
  const operation = paths.find(([pattern]) => pattern.test(path))?.[1][method.toLowerCase()]
  if (!operation) return
  const response = operation.responses[status]
  if (response && !response.content) {
    expect(body).toBe('')
    return
  }
  const schema = response?.content?.['application/json'].schema
  expect(schema, `${method} ${url} documents the status ${status}`).toBeDefined()
  const { anyOf = [schema ?? {}] } = (schema ?? {}) as { anyOf?: readonly object[] }
  const validators = anyOf.map((each) => compile(ajv, each))
  if (validators.some((validate) => validate(body))) return
  // The first schema is that of the usual response.
  const errors = validators[0]?.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
  expect.fail(`${method} ${url} returned ${status}, which does not match /doc: ${errors?.slice(0, 500)}`)
}

function compile(ajv: Ajv2020.default, { $ref }: { $ref?: string }) {
  const reference = $ref === undefined ? '' : `${root}${$ref}`
  return (reference && ajv.getSchema(reference)) || ajv.compile({ type: 'object' })
}
