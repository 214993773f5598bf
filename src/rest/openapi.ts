// The routes as an OpenAPI 3.1 document: made from the table that serves them, so that it can't say anything else.
import { isPost, kindByPlural, kinds } from '../content/kinds.ts'
import type { Settings } from '../env.ts'
import type { Resource } from './errors.ts'
import { type Example, readExamples } from './examples.ts'
import { documentedParam } from './options.ts'
import type { Shape } from './params.ts'
import { methods, type Route } from './route.ts'
import { componentSchemas, type SchemaName } from './schemas.ts'

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: object
  readonly components: object
  readonly servers: readonly { url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
}

/** `url` is the root of the interface, with a slash at its end. */
export function openApi(routes: readonly Route[], url: string, settings: Settings): OpenApiDocument {
  const paths = [...Map.groupBy(routes, ({ path }) => path || '/')].map(([path, those]) => {
    const operations = those.flatMap((route) =>
      methods[route.action].map((method) => [method.toLowerCase(), operation(route, method, settings)] as const),
    )
    return [path, Object.fromEntries(operations)] as const
  })
  return {
    openapi: '3.1.0',
    info: {
      title: settings.siteName,
      version: '1.0.0',
      description: 'Events, venues, organizers, categories and tags, in several languages.',
    },
    components: { schemas: componentSchemas(), securitySchemes },
    servers: servers(url, settings),
    paths: Object.fromEntries(paths),
  }
}

/** The root that was asked first, then the others: what is read and written there is in another language. */
function servers(url: string, { languages, publicUrl, restPrefix, restNamespace }: Settings) {
  const roots = [undefined, ...languages].map((language) => ({
    url: `${publicUrl}${language ? `/${language}` : ''}${restPrefix}/${restNamespace}/`,
    description: language ? `In the language ${language}.` : "In the site's default language.",
  }))
  return roots.toSorted((a, b) => Number(b.url === url) - Number(a.url === url))
}

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'A login with one of its application passwords.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or a JWT of the issuer that the site trusts.' },
}

const signedIn = [{ basic: [] }, { bearer: [] }]

function operation(route: Route, method: string, settings: Settings): object {
  const { action, path, summary, params, resource } = route
  const inPath = /\{(\w+)\}/.exec(path)?.[1]
  // In an edit the slug of the path goes by another name, since the body has one too.
  const named = Object.entries(params).map(
    ([name, param]) => [name === 'current_slug' ? 'slug (path)' : name, param] as const,
  )
  const isPath = (name: string) => name === 'slug (path)' || (name === inPath && !('current_slug' in params))
  const isWrite = action === 'create' || action === 'edit'
  const parameters = named
    .filter(([name]) => isPath(name) || !isWrite || name === 'translation_language')
    .map(([name, param]) => parameter(isPath(name) ? (inPath ?? name) : name, param, isPath(name), settings))
  const body = named.filter(([name]) => !isPath(name) && name !== 'translation_language')
  const id = operationId(method, path)
  const { operations, examples } = readExamples(settings)
  const example = examples[id] ?? { graphql: [] }
  const graphql = example.graphql.map(({ operation, variables }) => ({ query: operations[operation], variables }))
  return {
    operationId: id,
    summary,
    tags: [resource ?? 'interface'],
    parameters: [
      ...parameters.map((parameter) => withExample(parameter, example)),
      ...(action === 'read' ? [] : [idempotencyKey]),
    ],
    ...(isWrite ? { requestBody: requestBody(body, route.required ?? [], example, settings) } : {}),
    responses: responses(route, settings, example),
    security: action === 'read' ? [{}, ...signedIn] : signedIn,
    ...(graphql.length > 0 ? { 'x-graphql': graphql.length > 1 ? graphql : graphql[0] } : {}),
  }
}

/** `GET /events/by-slug/{slug}` is `getEventsBySlug`. */
const operationId = (method: string, path: string) =>
  method.toLowerCase() +
  (path || '/index')
    .replace('/{slug}', '')
    .replace(/\{id\}/, 'byId')
    .replace(/[/-](\w)/g, (_, letter: string) => letter.toUpperCase())

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: unknown
  readonly schema: object
  readonly style?: string
  readonly explode?: boolean
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a retry safe: a request that is sent again with its key within 24 hours gets the first answer, and writes ' +
    'nothing. A key that nobody else can guess, such as a UUID; it belongs to the user, and to this one request.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function withExample(parameter: Parameter, { path, query }: Example): object {
  const example = (parameter.in === 'path' ? path : query)?.[parameter.name]
  return example === undefined ? parameter : { ...parameter, example }
}

function parameter(name: string, param: Shape[string], inPath: boolean, settings: Settings): Parameter {
  const { description, ...schema } = documentedParam(name, param, settings)
  // Lists are read with commas between their items, or in brackets.
  const style = schema.type === 'array' ? { style: 'form', explode: false } : {}
  return { name, in: inPath ? 'path' : 'query', required: inPath, description, schema, ...style }
}

function requestBody(
  fields: readonly (readonly [string, Shape[string]])[],
  required: readonly string[],
  { body: example }: Example,
  settings: Settings,
): object {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, param]) => [name, documentedParam(name, param, settings)])),
    ...(required.length > 0 ? { required } : {}),
  }
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'].map((type) => [type, { schema }])
  const content = { 'application/json': { schema, ...(example ? { example } : {}) }, ...Object.fromEntries(forms) }
  return { required: required.length > 0, content }
}

function recordSchema(resource: Resource): SchemaName {
  const kind = kindByPlural[resource]
  return isPost(kind) ? kinds[kind].type : 'Term'
}

const listSchema = (resource: Resource): SchemaName => `${kinds[kindByPlural[resource]].type}List`

const json = (schema: object, example?: object) => ({
  content: { 'application/json': { schema, ...(example ? { example } : {}) } },
})
const component = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` })

const failures: Readonly<Record<string, string>> = {
  400: 'A parameter is wrong or missing, or names nothing.',
  401: 'Nobody is signed in, or the credential is wrong.',
  403: 'Whoever is signed in may not do this, or the record is not public.',
  404: 'There is nothing there.',
  410: 'The record is in the trash.',
  413: 'The body is too large.',
  415: 'The body comes in a form that is not read here.',
  429: 'Too much was asked or written from there, or too many credentials were wrong.',
  503: 'The service cannot answer now; try again.',
  507: 'The disk of the service is full; nothing was stored.',
}

/** What only requests with a body are answered. */
const ofBodies: ReadonlySet<string> = new Set(['413', '415'])

const writeFailures: Readonly<Record<string, string>> = {
  409: 'A request with this Idempotency-Key is still running; `Retry-After` says when to send it again.',
  422: 'This Idempotency-Key was sent with another request.',
  500:
    'Something went wrong here. With the code `rest_outcome_unknown` the database did not confirm the commit: the ' +
    'write is stored or it is not.',
}

function responses({ action, path, resource }: Route, { restHeaderPrefix }: Settings, example: Example): object {
  const answer = resource
    ? component(path === `/${resource}` && action === 'read' ? listSchema(resource) : recordSchema(resource))
    : { type: 'object' }
  const done = {
    description: action === 'create' ? 'It was made, or was there already.' : 'The answer.',
    ...(resource && path === `/${resource}` && action === 'read' ? { headers: totals(restHeaderPrefix) } : {}),
    ...(action === 'read' ? {} : { headers: replayed }),
    ...json(
      // What was written, or that it was, where it could not be read back.
      action === 'read' ? answer : { anyOf: [answer, component('Committed')] },
      example.answer?.body,
    ),
  }
  const isWrite = action !== 'read'
  const all = Object.entries(isWrite ? { ...failures, ...writeFailures } : failures)
  const refusals = all
    .filter(([status]) => isWrite || !ofBodies.has(status))
    .map(([status, description]) => [status, { description, ...json(component('Error'), example.refused?.[status]) }])
  const known = action === 'read' ? { 304: { description: 'What `If-None-Match` names is the answer still.' } } : {}
  return { [action === 'create' ? '201' : '200']: done, ...known, ...Object.fromEntries(refusals) }
}

const replayed = {
  'Idempotency-Replayed': {
    description: '`true` when nothing was written, since the Idempotency-Key had been sent before.',
    schema: { type: 'string', enum: ['true'] },
  },
}

const totals = (prefix: string) => ({
  [`${prefix}-Total`]: { description: 'Records on all pages.', schema: { type: 'integer' } },
  [`${prefix}-TotalPages`]: { description: 'Pages.', schema: { type: 'integer' } },
})
