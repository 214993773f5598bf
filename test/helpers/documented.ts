// Every answer of the legacy door that a test gets is held against what /doc says of it.
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { readSettings } from '../../src/env.ts'
import { openApi } from '../../src/rest/openapi.ts'
import { restRoutes } from '../../src/rest/routes.ts'

interface Operation {
  readonly responses: Readonly<Record<string, { content?: { 'application/json': { schema: object } } }>>
}

const root = 'http://calendar.test/cal/events/v1/'
let known: { ajv: Ajv2020.default; paths: [RegExp, Readonly<Record<string, Operation>>][] } | undefined

function load() {
  if (known) return known
  const settings = readSettings({})
  const document = openApi(restRoutes(settings.languages), root, settings)
  const ajv = new Ajv2020.default({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: root })
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const pattern = path === '/' ? '/?' : path.replace('{id}', '\\d+').replace('{slug}', '[^/]+')
    return [new RegExp(`^(/[a-z]{2})?/cal/events/v1${pattern}/?$`), operations] as const
  })
  known = { ajv, paths: paths as unknown as [RegExp, Readonly<Record<string, Operation>>][] }
  return known
}

/** Fails the test for an answer that the documentation doesn't foresee; other addresses are none of its business. */
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
  expect(schema, `${method} ${url} is documented to answer ${status}`).toBeDefined()
  const { anyOf = [schema ?? {}] } = (schema ?? {}) as { anyOf?: readonly object[] }
  const validators = anyOf.map((each) => compiled(ajv, each))
  if (validators.some((validate) => validate(body))) return
  // The first is the usual answer.
  const faults = validators[0]?.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ')
  expect.fail(`${method} ${url} answers ${status} as /doc doesn't say: ${faults?.slice(0, 500)}`)
}

function compiled(ajv: Ajv2020.default, { $ref }: { $ref?: string }) {
  const reference = $ref === undefined ? '' : `${root}${$ref}`
  return (reference && ajv.getSchema(reference)) || ajv.compile({ type: 'object' })
}
