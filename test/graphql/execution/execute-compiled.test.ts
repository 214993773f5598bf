// Compiled execution returns what graphql-js returns, including errors. Ordered by section of the GraphQL
// specification.
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
  GraphQLUnionType,
  parse,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { analyzeOperation, coerceVariables } from '../../../src/engine/execution/analyze-operation.ts'
import { compileOperation } from '../../../src/engine/execution/compile-operation.ts'
import { createExecutors } from '../../../src/engine/execution/execution.ts'

const { compiled: executeCompiled } = createExecutors(
  () => undefined,
  (context, run) => run(context),
)

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
    mixed: { type: new GraphQLList(Named), resolve: () => [{ name: 'a' }, later({ size: 1 }), { name: 'c' }] },
    either: { type: Either, resolve: () => later({ size: 2 }) },
    byTypename: { type: Tagged, resolve: () => ({ __typename: 'Thing', name: 'tagged' }) },
    impossible: { type: Named, resolve: () => ({ typeName: 'Checked' }) },
    nothing: { type: Named, resolve: () => ({ typeName: '' }) },
    unknown: { type: Named, resolve: () => ({ typeName: 'Nowhere' }) },
    scalar: { type: Named, resolve: () => ({ typeName: 'Int' }) },
    mine: { type: Checked, resolve: () => ({ size: 3 }) },
    notMine: { type: Checked, resolve: () => ({ name: 'other' }) },
  }),
})
const Other = new GraphQLObjectType({
  name: 'Other',
  interfaces: [Named],
  fields: { name: { type: GraphQLString }, size: { type: GraphQLInt } },
})
const Checked: GraphQLObjectType = new GraphQLObjectType({
  name: 'Checked',
  fields: { size: { type: GraphQLInt } },
  isTypeOf: (value) => later('size' in (value as object)),
})
const Either: GraphQLUnionType = new GraphQLUnionType({
  name: 'Either',
  types: () => [Thing, Other],
  resolveType: (value) => later('size' in (value as object) ? 'Other' : 'Thing'),
})
const Tagged: GraphQLUnionType = new GraphQLUnionType({ name: 'Tagged', types: () => [Thing, Other] })
Named.resolveType = (value) => {
  const { typeName } = value as { typeName?: string }
  if (typeName !== undefined) return typeName === '' ? undefined : typeName
  return 'size' in (value as object) ? later('Other') : 'Thing'
}

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      thing: { type: Thing, resolve: () => ({ name: 'thing', method: () => 'called' }) },
      must: { type: new GraphQLNonNull(Thing), resolve: () => ({ name: 'must' }) },
      none: { type: Thing, resolve: () => undefined },
    },
  }),
  mutation: new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      add: {
        type: GraphQLInt,
        args: { by: { type: GraphQLInt } },
        resolve: async (root: { sum: number }, { by }) => {
          const before = root.sum
          await later(0)
          root.sum = before + by
          return root.sum
        },
      },
      fails: { type: GraphQLInt, resolve: fails('this one') },
    },
  }),
  types: [Other],
})

const operations: [name: string, query: string, variables?: Record<string, unknown>][] = [
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
  ['a variable without a value', 'query ($t: String) { thing { echo(text: $t) } }'],
  ['a wrong variable', 'query ($n: Int!) { thing { colour(number: $n) } }', { n: 'x' }],
  ['an enum without such a value', '{ thing { colour(number: 3) name } }'],
  ['errors thrown, rejected, returned', '{ thing { name broken brokenLater returned notANumber noList } }'],
  ['null where it may not be', '{ thing { name self { missing } } }'],
  ['the same later', '{ thing { late self { missingLater brokenLater } } }'],
  ['null up to the root', '{ thing { name } must { sure { missing } } }'],
  ['items that fail', '{ thing { numbers holes things { name missing } } }'],
  ['items that fail later', '{ thing { things { name late missingLater } } }'],
  ['an interface', '{ thing { any { __typename name ... on Thing { late } ... on Other { size } } } }'],
  ['a list of an interface', '{ thing { mixed { __typename name ... on Other { size } } } }'],
  ['a union', '{ thing { either { __typename ... on Thing { name } ... on Other { size } } } }'],
  ['a union without resolveType', '{ thing { byTypename { ... on Thing { name } ... on Other { size } } } }'],
  ['a type that is not one of the interface', '{ thing { name impossible { name } } }'],
  ['an interface that resolves to nothing', '{ thing { nothing { name } unknown { name } scalar { name } } }'],
  [
    'directives with literals',
    '{ thing { name @skip(if: true) late @include(if: true) ... @include(if: false) { method } } }',
  ],
  ['a field that is skipped everywhere', '{ thing { name @include(if: false) } }'],
  ['two fields that fail', '{ must { missing } thing { sure { missingLater } } }'],
]

/** The specification does not define the order of errors. */
const plain = ({ data, errors }: Awaited<ReturnType<typeof executeCompiled>>) => ({
  data: JSON.parse(JSON.stringify(data ?? null)),
  errors: errors?.map((error) => JSON.stringify(error)).sort(),
})

describe.each(operations)('%s', (_, query, variableValues = {}) => {
  const document = parse(query)
  test.each([1, 2])('returns what graphql-js returns, execution %i', async () => {
    const args = { schema, document, variableValues }
    expect(plain(await executeCompiled(args))).toEqual(plain(await execute(args)))
  })
})

/** Each fragment leads to the next one twice. */
const many = (depth: number): string =>
  `{ thing { ...F0 } } ${Array.from({ length: depth }, (_, n) => `fragment F${n} on Thing { self { ...F${n + 1} } late: self { ...F${n + 1} } }`).join(' ')} fragment F${depth} on Thing { name }`

const compiles = (query: string, variables: Record<string, unknown> = {}) => {
  const operation = analyzeOperation(schema, { document: parse(query) })
  const variableValues = operation && coerceVariables(operation, variables).variableValues
  return variableValues && compileOperation(operation, variableValues) !== undefined
}

test('every operation above with valid variables is compiled', () => {
  for (const [name, query, variables] of operations) {
    if (!['a wrong variable', 'a union without resolveType'].includes(name))
      expect(compiles(query, variables), name).toBe(true)
  }
})

test('fragments that select very many fields are left to graphql-js', () => {
  expect(compiles(many(5))).toBe(true)
  expect(compiles(many(18))).toBe(false)
})

test.each([
  ['introspection', '{ __schema { queryType { name } } }'],
  ['the key __proto__', '{ thing { __proto__: name } }'],
  ['a type with isTypeOf', '{ thing { name notMine { size } mine { size } } }'],
])('%s is left to graphql-js', async (_, query) => {
  const args = { schema, document: parse(query) }
  expect(compiles(query)).toBe(false)
  expect(plain(await executeCompiled(args))).toEqual(plain(await execute(args)))
})

test('of several operations the named one is executed', async () => {
  const document = parse('query A { thing { name } } query B { thing { late } }')
  for (const operationName of ['A', 'B', 'C', undefined]) {
    const args = { schema, document, operationName }
    expect(plain(await executeCompiled(args))).toEqual(plain(await execute(args)))
  }
})

test('one document is executed with other values of the variables that @include and @skip read', async () => {
  const document = parse(`query ($a: Boolean!, $b: Boolean = true) {
    thing { name @include(if: $a) late @skip(if: $b) ...F @include(if: $b) ... @skip(if: $a) { method } }
  } fragment F on Thing { self @include(if: $a) { name } }`)
  for (const variableValues of [
    { a: true },
    { a: false },
    { a: true, b: false },
    { a: false, b: false },
    { a: true },
    {},
  ]) {
    const args = { schema, document, variableValues }
    expect(plain(await executeCompiled(args))).toEqual(plain(await execute(args)))
  }
})

test('mutations run one after the other, and a failed one does not stop the next', async () => {
  const document = parse('mutation { a: add(by: 1) b: add(by: 2) fails c: add(by: 3) }')
  for (const executor of [executeCompiled, execute]) {
    const result = await executor({ schema, document, rootValue: { sum: 0 } })
    expect(result.data).toEqual({ a: 1, b: 3, fails: null, c: 6 })
    expect(result.errors?.map(({ path }) => path)).toEqual([['fails']])
  }
})
