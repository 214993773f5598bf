// Random requests with every parameter of REST and every argument of GraphQL.
import fc from 'fast-check'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import { httpMethods } from '../../src/apis/rest/route.ts'
import { createRestRoutes } from '../../src/apis/rest/routes.ts'

const odd = fc.constantFrom(
  ...['', '0', '1', '-1', '2', '12', '1.5', '1e9', '2147483647', '2147483648', '9'.repeat(30), '1e400', '-0', 'NaN'],
  ...['true', 'false', 'on', 'null', 'undefined', '[]', '{}', '\0', 'a\0b', '\ud800', '😀', 'é', '٣', '‮abc', "'", '"'],
  ...['%', '%00', '\\', '_%', '--', '; DROP TABLE event', '<b>', '&amp;', ',', ',,', 'a,b', '1,2,x', '-word "phrase'],
  ...[
    'publish',
    'draft',
    'trash',
    'any',
    'asc',
    'desc',
    'title',
    'name',
    'edit',
    'view',
    'fr',
    'FR',
    'xx',
    'Europe/Paris',
  ],
  ...['2026-11-21', '2026-02-30', '0000-00-00', '9999-12-31 23:59:59', '-271821-04-20', '+275760-09-13T00:00:01Z'],
  ...['tomorrow', 'last day of next month', '@1e12', '1700000000', '99999-01-01', '2026-11-21T25:00', 'http://x.test/'],
)
const text = fc.oneof({ weight: 6, arbitrary: odd }, fc.string({ unit: 'binary', maxLength: 30 }), fc.string())
const number = fc.oneof(fc.integer(), fc.constantFrom(0, 1, 2, 3, -1, 1e9, 2 ** 31, 2 ** 53, 1e300, 0.5, -0))
const json = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }))

export interface RestDraw {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly payload?: object | string
}

const routes = createRestRoutes({ languages: ['en', 'fr', 'es'], legacyAddresses: false })
const identity = fc.oneof(
  fc.integer({ min: 1, max: 12 }).map(String),
  fc.constantFrom('999', '2147483648', '9'.repeat(40)),
)
const encode = (value: string) => encodeURIComponent(value.toWellFormed())

export const restRequest: fc.Arbitrary<RestDraw> = fc.constantFrom(...routes).chain((route) => {
  const names = Object.keys(route.params).filter((name) => !route.path.includes(`{${name}}`))
  const values = fc.dictionary(fc.constantFrom(...names, 'unknown'), fc.oneof(text, fc.array(text, { maxLength: 3 })), {
    maxKeys: 5,
  })
  const body = fc.dictionary(fc.constantFrom(...names, 'unknown'), json, { maxKeys: 6 })
  return fc
    .record({
      values,
      body,
      id: identity,
      slug: fc.oneof(fc.constantFrom('party', 'hall', 'club'), text),
      root: fc.constantFrom('', '/fr', '/en'),
      method: fc.constantFrom(...httpMethods[route.action]),
      form: fc.boolean(),
    })
    .map((drawn) => {
      const path = route.path.replace('{id}', drawn.id).replace('{slug}', encode(drawn.slug))
      const query = Object.entries(drawn.values).flatMap(([name, value]) =>
        typeof value === 'string'
          ? [`${name}=${encode(value)}`]
          : value.map((item, n) => `${name}[${n % 2 ? 'x' : ''}]=${encode(item)}`),
      )
      const url = `${drawn.root}/cal/events/v1${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
      if (route.action === 'read') return { method: 'GET', url } as const
      const fields = Object.entries(drawn.body).map(([name, value]) => `${name}=${encode(shown(value))}`)
      return { method: drawn.method, url, payload: drawn.form ? fields.join('&') : drawn.body }
    })
})

/** A random object may have a property `toString` that is not a function. */
const shown = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

export interface GraphDraw {
  readonly query: string
  readonly variables: Record<string, unknown>
}

/** A root field with random arguments, which may have the wrong type. */
export function graphRequest(schema: GraphQLSchema): fc.Arbitrary<GraphDraw> {
  const roots = [
    ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ['query', field] as const),
    ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ['mutation', field] as const),
  ]
  return fc.constantFrom(...roots).chain(([operation, field]) => {
    const args = field.args.filter((arg) => getNamedType(arg.type).name !== 'File')
    return fc.tuple(...args.map(argumentValue)).map((values) => {
      const input = args.flatMap((arg, n) => (values[n] === undefined ? [] : [[arg, values[n]] as const]))
      const declared = input.map(([{ name, type }]) => `$${name}: ${type}`).join(', ')
      const passed = input.map(([{ name }]) => `${name}: $${name}`).join(', ')
      const query = `${operation}${declared ? `(${declared})` : ''} { ${field.name}${passed ? `(${passed})` : ''} ${selection(field, 3)} }`
      return { query, variables: Object.fromEntries(input.map(([{ name }, value]) => [name, value])) }
    })
  })
}

const argumentValue = (arg: GraphQLArgument): fc.Arbitrary<unknown> =>
  isRequiredArgument(arg) ? inputOf(arg.type, 0) : fc.option(inputOf(arg.type, 0), { nil: undefined, freq: 1 })

const maxInputDepth = 4

/** Mostly of the right type, so that validation passes. */
function inputOf(type: GraphQLInputType, depth: number): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return inputOf(type.ofType as GraphQLInputType, depth)
  if (isListType(type)) return fc.array(inputOf(type.ofType as GraphQLInputType, depth + 1), { maxLength: 3 })
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name))
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields())
    if (type.isOneOf) {
      return fc.constantFrom(...fields).chain((one) => fc.record({ [one.name]: inputOf(one.type, depth + 1) }))
    }
    const required = fields.filter(isRequiredInputField).map(({ name }) => name)
    // Filters contain filters.
    const shallow = depth < maxInputDepth ? fields : fields.filter((one) => !isInputObjectType(getNamedType(one.type)))
    const drawn = Object.fromEntries(shallow.map((one) => [one.name, inputOf(one.type, depth + 1)]))
    return fc.record(drawn, { requiredKeys: required })
  }
  const scalars: Record<string, fc.Arbitrary<unknown>> = {
    Int: fc.oneof(fc.integer({ min: -3, max: 60 }), fc.integer()),
    Float: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -180, max: 180 })),
    Boolean: fc.boolean(),
    ID: fc.oneof(fc.integer({ min: 1, max: 12 }).map(String), text),
    DateTime: fc.oneof(
      fc.constantFrom('2026-11-21T12:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'),
      text,
    ),
    DayExpression: fc.oneof(fc.constantFrom('today', '+1 week', '2026-11-21', '0001-01-01', '9999-12-31', '@1'), text),
    LocalDateTime: fc.oneof(fc.constantFrom('2026-11-21T12:00:00', '0000-01-01T00:00:00', '9999-12-31T23:59:59'), text),
    JSON: json,
    URL: fc.oneof(fc.constantFrom('https://x.test/', 'ftp://x', 'http://[::1]/'), text),
  }
  return scalars[type.name] ?? text
}

function selection(field: GraphQLField<unknown, unknown>, depth: number): string {
  const type = getNamedType(field.type)
  if (!isCompositeType(type)) return ''
  const fields = 'getFields' in type ? Object.values(type.getFields()) : []
  const inner = fields
    .filter((one) => !one.args.some(isRequiredArgument))
    .filter((one) => depth > 1 || !isCompositeType(getNamedType(one.type)))
    .map((one) => `${one.name} ${selection(one, depth - 1)}`)
  return `{ __typename ${inner.join(' ')} }`
}
