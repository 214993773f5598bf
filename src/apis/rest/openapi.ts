// The OpenAPI 3.1 document, generated from the routes.

import type { Settings } from '../../basics/env.ts'
import { isPost, kindByPlural, kinds } from '../../kinds.ts'
import type { ResourceName } from './errors.ts'
import { type ApiExample, readExamples } from './examples.ts'
import { describeParam } from './options.ts'
import type { ParamsShape } from './params.ts'
import { httpMethods, type Route } from './route.ts'
import { createComponentSchemas, type SchemaName } from './schemas.ts'

/** Creates the document. `url` is the root of the API, with a trailing slash. */
export function createOpenApiDocument(routes: readonly Route[], url: string, settings: Settings) {
  const paths = [...Map.groupBy(routes, ({ path }) => path || '/')].map(([path, routesOfPath]) => {
    const operations = routesOfPath.flatMap((route) =>
      httpMethods[route.action].map((method) => [method.toLowerCase(), operation(route, method, settings)] as const),
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
    components: { schemas: createComponentSchemas(), securitySchemes },
    servers: servers(url, settings),
    paths: Object.fromEntries(paths),
  }
}

/** Returns the API roots of all languages, first the root that was requested. */
function servers(url: string, { languages, publicUrl, restPrefix, restNamespace }: Settings) {
  const roots = [undefined, ...languages].map((language) => ({
    url: `${publicUrl}${language ? `/${language}` : ''}${restPrefix}/${restNamespace}/`,
    description: language ? `Content in the language ${language}.` : "Content in the site's default language.",
  }))
  return roots.toSorted((a, b) => Number(b.url === url) - Number(a.url === url))
}

const securitySchemes = {
  basic: { type: 'http', scheme: 'basic', description: 'A login and an application password of that user.' },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API token, or a JWT from the issuer that the site trusts.',
  },
}

const signedIn = [{ basic: [] }, { bearer: [] }]

function operation(route: Route, method: string, settings: Settings): object {
  const { action, path, summary, params, resource } = route
  const pathParam = /\{(\w+)\}/.exec(path)?.[1]
  // Edits have a slug in the path and one in the body; the one in the path is called `current_slug`.
  const entries = Object.entries(params).map(
    ([name, param]) => [name === 'current_slug' ? 'slug (path)' : name, param] as const,
  )
  const isPath = (name: string) => name === 'slug (path)' || (name === pathParam && !('current_slug' in params))
  const isWrite = action === 'create' || action === 'edit'
  const body = entries.filter(([name]) => !isPath(name) && name !== 'translation_language')
  const id = operationId(method, path)
  const { operations, examples } = readExamples(settings)
  const example = examples[id] ?? { graphql: [] }
  const parameters = entries
    .filter(([name]) => isPath(name) || !isWrite || name === 'translation_language')
    .map(([name, param]) =>
      parameter(isPath(name) ? (pathParam ?? name) : name, param, isPath(name), example, settings),
    )
  const graphql = example.graphql.map(({ operation, variables }) => ({ query: operations[operation], variables }))
  return {
    operationId: id,
    summary,
    tags: [resource ?? 'API'],
    parameters: [...parameters, ...(action === 'read' ? [] : [idempotencyKey])],
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

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe: a request that repeats a key within 24 hours gets the stored response of the first request and ' +
    'writes nothing. Use a new random key, such as a UUID, for each new request. Keys are separate for each user.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function parameter(
  name: string,
  param: ParamsShape[string],
  isInPath: boolean,
  { path, query }: ApiExample,
  settings: Settings,
) {
  const { description, ...schema } = describeParam(name, param, settings)
  const example = (isInPath ? path : query)?.[name]
  return {
    ...{ name, in: isInPath ? 'path' : 'query', required: isInPath, description, schema },
    // Lists are comma-separated; clients may also use brackets.
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    ...(example !== undefined && { example }),
  }
}

function requestBody(
  fields: readonly (readonly [string, ParamsShape[string]])[],
  required: readonly string[],
  { body: example }: ApiExample,
  settings: Settings,
): object {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, param]) => [name, describeParam(name, param, settings)])),
    ...(required.length > 0 ? { required } : {}),
  }
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'].map((type) => [type, { schema }])
  const content = { 'application/json': { schema, ...(example ? { example } : {}) }, ...Object.fromEntries(forms) }
  return { required: required.length > 0, content }
}

function recordSchema(resource: ResourceName): SchemaName {
  const kind = kindByPlural[resource]
  return isPost(kind) ? kinds[kind].type : 'Term'
}

const listSchema = (resource: ResourceName, name: 'List' | 'Changes'): SchemaName =>
  `${kinds[kindByPlural[resource]].type}${name}`

const json = (schema: object, example?: object) => ({
  content: { 'application/json': { schema, ...(example ? { example } : {}) } },
})
const component = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` })

const errorDescriptions: Readonly<Record<string, string>> = {
  400: 'A parameter is invalid or missing, or refers to a record that does not exist.',
  401: 'The request has no credential, or an invalid one.',
  403: 'The user lacks the permission, or the record is not public.',
  404: 'The record or page does not exist.',
  410: 'The record is in the trash, or the sync token has expired.',
  413: 'The body is too large.',
  415: 'The content type of the body is not supported.',
  429: 'A rate limit was exceeded, or too many sign-ins failed. `Retry-After` says how many seconds to wait.',
  503: 'The service is temporarily unavailable. Retry later.',
  507: 'The disk of the server is full. Nothing was stored.',
}

/** Error statuses that only requests with a body can get. */
const bodyStatuses: ReadonlySet<string> = new Set(['413', '415'])

const writeErrorDescriptions: Readonly<Record<string, string>> = {
  409: 'A request with this Idempotency-Key is still running. `Retry-After` says how many seconds to wait.',
  422: 'This Idempotency-Key belongs to a different request.',
  500:
    'Internal error. With the code `rest_outcome_unknown` the database did not confirm the commit, so the write may or ' +
    'may not be stored.',
}

function responses({ action, path, resource }: Route, { restHeaderPrefix }: Settings, example: ApiExample): object {
  const isList = action === 'read' && path === `/${resource}`
  const single = resource ? component(recordSchema(resource)) : { type: 'object' }
  const result =
    resource && isList
      ? { anyOf: [component(listSchema(resource, 'List')), component(listSchema(resource, 'Changes'))] }
      : single
  const success = {
    description: action === 'create' ? 'The record was created, or existed already.' : 'Success.',
    ...(isList ? { headers: totals(restHeaderPrefix) } : {}),
    ...(action === 'read' ? {} : { headers: replayedHeader }),
    ...json(
      // If a committed record cannot be read afterwards, the body only says that the write was committed.
      action === 'read' ? result : { anyOf: [result, component('Committed')] },
      example.response?.body,
    ),
  }
  const isWrite = action !== 'read'
  const descriptions = isWrite ? { ...errorDescriptions, ...writeErrorDescriptions } : errorDescriptions
  const errors = Object.entries(descriptions)
    .filter(([status]) => isWrite || !bodyStatuses.has(status))
    .map(([status, description]) => [status, { description, ...json(component('Error'), example.errors?.[status]) }])
  const notModified = action === 'read' ? { 304: { description: 'The ETag in `If-None-Match` is still current.' } } : {}
  return { [action === 'create' ? '201' : '200']: success, ...notModified, ...Object.fromEntries(errors) }
}

const replayedHeader = {
  'Idempotency-Replayed': {
    description: '`true` if nothing was written because the Idempotency-Key had been used before.',
    schema: { type: 'string', enum: ['true'] },
  },
}

const totals = (prefix: string) => ({
  [`${prefix}-Total`]: { description: 'Number of records on all pages.', schema: { type: 'integer' } },
  [`${prefix}-TotalPages`]: { description: 'Number of pages.', schema: { type: 'integer' } },
})
