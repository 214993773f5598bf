// Planned operations answer as graphql itself does, whatever goes wrong in them.
import {
  execute,
  GraphQLEnumType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { planOf } from '../../src/graphql/plan.ts'
import { run } from '../../src/graphql/run.ts'

const Named = new GraphQLInterfaceType({ name: 'Named', fields: { name: { type: GraphQLString } } })
const Colour = new GraphQLEnumType({ name: 'Colour', values: { RED: { value: 1 }, BLUE: { value: 2 } } })
const later = <Value>(value: Value) => new Promise<Value>((resolve) => setTimeout(() => resolve(value), 1))
const fails = (message: string) => () => {
  throw new Error(message)
}

const Thing: GraphQLObjectType = new GraphQLObjectType({
  name: 'Thing',
  interfaces: [Named],
  fields: () => ({
    name: { type: GraphQLString },
    late: { type: GraphQLString, resolve: () => later('late') },
    method: { type: GraphQLString },
    colour: {
      type: Colour,
      args: { number: { type: GraphQLInt, defaultValue: 1 } },
      resolve: (_, { number }) => number,
    },
    echo: { type: GraphQLString, args: { text: { type: GraphQLString } }, resolve: (_, { text }) => text },
    self: { type: Thing, resolve: (thing) => thing },
    sure: { type: new GraphQLNonNull(Thing), resolve: (thing) => later(thing) },
    missing: { type: new GraphQLNonNull(GraphQLString), resolve: () => null },
    missingLater: { type: new GraphQLNonNull(GraphQLString), resolve: () => later(undefined) },
    broken: { type: GraphQLString, resolve: fails('broken') },
    brokenLater: { type: GraphQLString, resolve: () => later(0).then(fails('broken later')) },
    returned: { type: GraphQLString, resolve: () => new Error('returned') },
    notANumber: { type: GraphQLInt, resolve: () => 'many' },
    noList: { type: new GraphQLList(GraphQLInt), resolve: () => 5 },
    numbers: { type: new GraphQLList(new GraphQLNonNull(GraphQLInt)), resolve: () => [1, null, 3] },
    holes: { type: new GraphQLList(GraphQLInt), resolve: () => [1, null, 'x', later(4), later(0).then(fails('hole'))] },
    set: { type: new GraphQLList(GraphQLInt), resolve: () => new Set([1, 2]) },
    grid: { type: new GraphQLList(new GraphQLList(GraphQLInt)), resolve: () => [[1], later([2, 3]), null] },
    things: { type: new GraphQLList(new GraphQLNonNull(Thing)), resolve: () => [{ name: 'a' }, later({ name: 'b' })] },
    any: { type: Named, resolve: (thing) => thing },
  }),
})
Named.resolveType = () => 'Thing'

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      thing: { type: Thing, resolve: () => ({ name: 'thing', method: () => 'called' }) },
      must: { type: new GraphQLNonNull(Thing), resolve: () => ({ name: 'must' }) },
      none: { type: Thing, resolve: () => undefined },
    },
  }),
})

const planned: [name: string, query: string, variables?: Record<string, unknown>][] = [
  ['values', '{ thing { name late method colour set grid __typename } none { name } }'],
  ['aliases and merged fields', '{ a: thing { name } a: thing { self { b: name } self { late } } __typename }'],
  [
    'fragments',
    '{ thing { ...F ... on Named { again: name } ... { late } } } fragment F on Thing { name self { ...G } } fragment G on Named { name }',
  ],
  ['fragments twice', '{ thing { ...F ...F self { ...F } } } fragment F on Thing { name things { name } }'],
  [
    'arguments',
    'query ($n: Int, $t: String = "t") { thing { colour(number: $n) b: colour(number: 2) echo(text: $t) } }',
    { n: 2 },
  ],
  ['a variable that is not given', 'query ($t: String) { thing { echo(text: $t) } }'],
  ['a wrong variable', 'query ($n: Int!) { thing { colour(number: $n) } }', { n: 'x' }],
  ['an enum without such a value', '{ thing { colour(number: 3) name } }'],
  ['errors thrown, rejected, returned', '{ thing { name broken brokenLater returned notANumber noList } }'],
  ['null where it may not be', '{ thing { name self { missing } } }'],
  ['the same later', '{ thing { late self { missingLater brokenLater } } }'],
  ['null up to the root', '{ thing { name } must { sure { missing } } }'],
  ['items that fail', '{ thing { numbers holes things { name missing } } }'],
  ['items that fail later', '{ thing { things { name late missingLater } } }'],
  ['two fields that fail', '{ must { missing } thing { sure { missingLater } } }'],
]

/** The order of errors is nobody's promise. */
const plain = ({ data, errors }: Awaited<ReturnType<typeof run>>) => ({
  data: JSON.parse(JSON.stringify(data ?? null)),
  errors: errors?.map((error) => JSON.stringify(error)).sort(),
})

describe.each(planned)('%s', (_, query, variableValues = {}) => {
  const document = parse(query)
  test('is planned', () => expect(planOf(schema, document, undefined)).toBeDefined())
  test.each([1, 2])('answers as graphql does, time %i', async () => {
    const args = { schema, document, variableValues }
    expect(plain(await run(args))).toEqual(plain(await execute(args)))
  })
})

/** Each fragment leads to the next one twice. */
const many = (depth: number): string =>
  `{ thing { ...F0 } } ${Array.from({ length: depth }, (_, n) => `fragment F${n} on Thing { self { ...F${n + 1} } late: self { ...F${n + 1} } }`).join(' ')} fragment F${depth} on Thing { name }`

test('fragments that come to very many fields are left to graphql', () => {
  expect(planOf(schema, parse(many(5)), undefined)).toBeDefined()
  expect(planOf(schema, parse(many(18)), undefined)).toBeUndefined()
})

test.each([
  ['directives', 'query ($yes: Boolean!) { thing { name @include(if: $yes) } }'],
  ['directives of fragments', '{ thing { ... @skip(if: true) { name } } }'],
  ['interfaces', '{ thing { any { name } } }'],
  ['what a schema says of itself', '{ __schema { queryType { name } } }'],
  ['names that objects have of themselves', '{ thing { __proto__: name } }'],
])('%s are left to graphql', async (_, query) => {
  const args = { schema, document: parse(query), variableValues: { yes: true } }
  expect(planOf(schema, args.document, undefined)).toBeUndefined()
  expect(plain(await run(args))).toEqual(plain(await execute(args)))
})

test('of several operations the named one runs', async () => {
  const document = parse('query A { thing { name } } query B { thing { late } }')
  for (const operationName of ['A', 'B', 'C', undefined]) {
    const args = { schema, document, operationName }
    expect(plain(await run(args))).toEqual(plain(await execute(args)))
  }
})
