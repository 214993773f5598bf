// The analyzed tree of an operation, which complexity, dependencies and execution use.
import { buildSchema, type GraphQLResolveInfo, getOperationAST, parse } from 'graphql'
import { expect, test } from 'vitest'
import {
  type AnalyzedSelection,
  analyzeOperation,
  coerceVariables,
  findAnalyzedField,
} from '../../../src/engine/execution/analyze-operation.ts'

const schema = buildSchema(`
  interface Named { name(short: Boolean, in: [Filter!]): String self: Named }
  type Thing implements Named { name(short: Boolean, in: [Filter!]): String self: Thing size: Int }
  input Filter { text: String }
  type Query { thing(id: ID): Thing named: Named }
`)

const analyze = (text: string, operationName?: string) => {
  const operation = analyzeOperation(schema, { document: parse(text), operationName })
  if (!operation) throw new Error('There is no such operation')
  return operation
}

/** Keys and types of a tree, as an indented text would show them. */
const outline = ({ type, parts }: AnalyzedSelection): unknown[] => [
  type.name,
  ...parts.flatMap((part) => {
    const inner = part.selection ? [outline(part.selection)] : []
    return [part.kind === 'field' ? part.key : `...${part.name ?? ''}`, ...inner]
  }),
]

test('each selection set has its type, and each field its response name', () => {
  const { root } = analyze(
    '{ a: thing { size ...F ... { b: size } } named { ... on Thing { size } __typename } } fragment F on Named { self { name } }',
  )
  expect(outline(root)).toEqual([
    'Query',
    'a',
    ['Thing', 'size', '...F', ['Thing', 'self', ['Thing', 'name']], '...', ['Thing', 'b']],
    'named',
    ['Named', '...', ['Thing', 'size'], '__typename'],
  ])
})

test('a fragment that is spread twice is one selection', () => {
  const { root } = analyze('{ thing { ...F self { ...F } } } fragment F on Named { name }')
  const [thing] = root.parts
  const [first, self] = thing?.selection?.parts ?? []
  expect(first?.selection?.number).toBeGreaterThan(0)
  expect(self?.selection?.parts[0]?.selection).toBe(first?.selection)
})

test('an operation is analyzed once for a schema', () => {
  const document = parse('query A { thing { size } } query B { named { name } }')
  const read = (operationName: string) => analyzeOperation(schema, { document, operationName })
  expect(read('A')).toBe(read('A'))
  expect(read('A')?.root.parts[0]).toMatchObject({ key: 'thing' })
  expect(read('B')?.root.parts[0]).toMatchObject({ key: 'named' })
  expect(read('C')).toBeUndefined()
  expect(analyzeOperation(schema, { document })).toBeUndefined()
  expect(analyzeOperation(schema, { document: parse('mutation { name }') })).toBeUndefined()
})

test.each([
  ['{ thing(id: 1) { size ...F } } fragment F on Named { self { name } }', true],
  ['{ thing { name(short: true) } }', false],
  ['{ thing { self { size @skip(if: false) } } }', false],
  ['{ thing { ...F @include(if: true) } } fragment F on Named { name }', false],
  ['{ thing { ...F } } fragment F on Named { self { name(short: true) } }', false],
])('whether nothing below a field has a directive or arguments: %s', (query, isPlain) => {
  expect(analyze(query).root.parts[0]?.selection?.isPlain).toBe(isPlain)
})

test('the variables that decide what is selected are known, those of fragments too', () => {
  const query = `query ($a: Boolean!, $b: Boolean!, $c: Boolean!) { thing { size @skip(if: $a) ...F name(short: $c) } }
    fragment F on Thing { ... @include(if: $b) { size } }`
  expect([...analyze(query).conditionVariables].sort()).toEqual(['a', 'b'])
})

test.each([
  '{ thing { missing } }',
  '{ thing { ...Missing } }',
  '{ thing { ... on Missing { size } } }',
  '{ thing { ...F } } fragment F on Thing { self { ...F } }',
])('what validation refuses is left out, and said to be: %s', (query) => {
  const { hasUnknownParts, root } = analyze(query)
  expect(hasUnknownParts).toBe(true)
  expect(root.parts).toHaveLength(1)
})

test('a resolver finds the field that it resolves, unless several are merged', () => {
  const document = parse('{ thing { size } thing { size } }')
  const operation = getOperationAST(document)
  const fieldNodes = operation?.selectionSet.selections ?? []
  const parentType = schema.getQueryType()
  const find = (nodes: typeof fieldNodes) =>
    findAnalyzedField({
      schema,
      operation,
      fragments: {},
      parentType,
      fieldNodes: nodes,
    } as unknown as GraphQLResolveInfo)
  expect(find(fieldNodes.slice(1))).toBe(analyzeOperation(schema, { document })?.root.parts[1])
  expect(find(fieldNodes)).toBeUndefined()
})

test('variables are coerced once for a request', () => {
  const operation = analyze('query ($id: ID = "a") { thing(id: $id) { size } }')
  const variables = { id: 1 }
  const coerced = coerceVariables(operation, variables)
  expect(coerced.variableValues?.coerced).toEqual({ id: '1' })
  expect(coerceVariables(operation, variables)).toBe(coerced)
  expect(coerceVariables(operation, { id: 2 }).variableValues?.coerced).toEqual({ id: '2' })
  expect(coerceVariables(operation, undefined).variableValues?.coerced).toEqual({ id: 'a' })
  expect(coerceVariables(operation, { id: {} }).errors?.[0]?.message).toContain('$id')
})
