// Compiles an operation to functions, once: the selected fields of each type, their resolvers, and the functions that complete
// their values (CompleteValue of the GraphQL specification).
import { hash } from 'node:crypto'
import {
  defaultFieldResolver,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import { memoize, memoizeByObject } from '../../basics/memoize.ts'
import { createObjectFactory } from '../../basics/object-factory.ts'
import { type AnalyzedField, type AnalyzedOperation, type AnalyzedSelection, isIncluded } from './analyze-operation.ts'
import { abstractCompleter, leafCompleter, listCompleter, nonNullCompleter, objectCompleter } from './execute-fields.ts'
import { findPreloadedResolver, isCacheable } from './preloaded-fields.ts'
import type { CompiledField, CompiledOperation, CompiledSelection, CompleteValue, Execution } from './types.ts'

type VariableValues = Execution['variableValues']

/** Number of cached variants of an operation: each boolean variable in @include or @skip doubles the possible variants. */
const maxVariants = 32

const variants = memoizeByObject((operation: AnalyzedOperation) =>
  memoize({ name: 'compiledVariants', max: maxVariants }, (_conditions: string, variableValues: VariableValues) =>
    compile(operation, variableValues),
  ),
)

/** Compiles an operation. Returns undefined if graphql-js has to execute it: introspection, and very large operations. */
export function compileOperation(
  operation: AnalyzedOperation,
  variableValues: VariableValues,
): CompiledOperation | undefined {
  let conditions = ''
  for (const name of operation.conditionVariables) conditions += variableValues.coerced[name] === true ? '1' : '0'
  return variants(operation)(conditions, variableValues)
}

class NotCompiled extends Error {}

/** Maximum number of compiled fields of an operation. Nested fragments can multiply the fields. */
const maxFields = 1000

function compile(
  { schema, node, fragments, root, hasUnknownParts }: AnalyzedOperation,
  variableValues: VariableValues,
): CompiledOperation | undefined {
  if (hasUnknownParts || !isObjectType(root.type)) return undefined
  try {
    const compiling: Compiling = { schema, variableValues, fields: 0 }
    const compiled = compileSelection(compiling, root.type, [root])
    return { schema, operation: node, fragments, root: compiled }
  } catch (error) {
    if (error instanceof NotCompiled) return undefined
    throw error
  }
}

interface Compiling {
  readonly schema: GraphQLSchema
  readonly variableValues: VariableValues
  /** Number of compiled fields of the operation so far, to compare with `maxFields`. */
  fields: number
}

let cacheableSelections = 0

/** Returns a function that numbers selections. Equal selections of several operations get the same number. */
const selectionNumbers = memoizeByObject((_schema: GraphQLSchema) =>
  memoize({ name: 'selectionNumbers', max: 10_000 }, (_fields: string): number => {
    cacheableSelections += 1
    return cacheableSelections
  }),
)

function compileSelection(
  compiling: Compiling,
  type: GraphQLObjectType,
  selections: readonly AnalyzedSelection[],
): CompiledSelection {
  const collected = new Map<string, AnalyzedField[]>()
  const spread = new Set<string>()
  for (const selection of selections) collectFields(compiling, type, selection, collected, spread)
  const fields = [...collected].map(([key, ofKey]) => compileField(compiling, type, key, ofKey))
  const number = numberOf(compiling.schema, type, fields)
  return { number, fields, newResult: createObjectFactory([...collected.keys()]) }
}

function numberOf(schema: GraphQLSchema, type: GraphQLObjectType, fields: readonly CompiledField[]) {
  const cacheKeys = fields.map(({ cacheKey }) => cacheKey)
  if (cacheKeys.includes(undefined)) return undefined
  // Hashed, because clients choose the aliases and could fill the memory with long ones.
  return selectionNumbers(schema)(hash('sha256', `${type.name} ${cacheKeys.join()}`, 'base64'))
}

function collectFields(
  compiling: Compiling,
  type: GraphQLObjectType,
  { parts }: AnalyzedSelection,
  collected: Map<string, AnalyzedField[]>,
  spread: Set<string>,
): void {
  for (const part of parts) {
    if (!isIncluded(part.node, compiling.variableValues)) continue
    if (part.kind === 'field') {
      collected.set(part.key, [...(collected.get(part.key) ?? []), part])
      continue
    }
    const { name, selection } = part
    if (name !== undefined && spread.has(name)) continue
    if (name !== undefined) spread.add(name)
    if (applies(compiling.schema, selection.type, type)) collectFields(compiling, type, selection, collected, spread)
  }
}

const applies = (schema: GraphQLSchema, condition: GraphQLCompositeType, type: GraphQLObjectType): boolean =>
  condition === type || (isAbstractType(condition) && schema.isSubType(condition, type))

function compileField(
  compiling: Compiling,
  type: GraphQLObjectType,
  key: string,
  merged: readonly AnalyzedField[],
): CompiledField {
  compiling.fields += 1
  if (compiling.fields > maxFields) throw new NotCompiled()
  const nodes = merged.map((field) => field.node)
  const [node] = nodes
  const definition = node && compiling.schema.getField(type, node.name.value)
  const isIntrospection = definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef
  // As a key of the result object, `__proto__` would set the prototype.
  if (!node || !definition || isIntrospection || key === '__proto__') throw new NotCompiled()
  const { complete, cacheKey } = compileValue(compiling, definition.type, merged)
  const hasArguments = definition.args.length > 0
  return {
    key,
    node,
    nodes,
    definition,
    parent: type,
    isNullable: !isNonNullType(definition.type),
    hasArguments,
    resolve: definition === TypeNameMetaFieldDef ? () => type.name : (definition.resolve ?? defaultFieldResolver),
    resolvePreloaded: findPreloadedResolver(definition),
    cacheKey:
      !hasArguments && cacheKey !== undefined && isCacheable(type, definition)
        ? `${key}:${definition.name}${cacheKey}`
        : undefined,
    complete,
  }
}

interface CompiledValue {
  readonly complete: CompleteValue
  /** Text that identifies the selected fields; undefined if results with these fields are not cacheable. */
  readonly cacheKey: string | undefined
}

function compileValue(compiling: Compiling, type: GraphQLOutputType, merged: readonly AnalyzedField[]): CompiledValue {
  if (isNonNullType(type)) {
    const { complete, cacheKey } = compileValue(compiling, type.ofType, merged)
    return { complete: nonNullCompleter(complete), cacheKey }
  }
  if (isListType(type)) {
    const { complete, cacheKey } = compileValue(compiling, type.ofType, merged)
    return { complete: listCompleter(complete, !isNonNullType(type.ofType)), cacheKey }
  }
  if (isLeafType(type)) return { complete: leafCompleter(type), cacheKey: '' }
  const selections = merged.flatMap(({ selection }) => selection ?? [])
  if (isObjectType(type)) return compileObject(compiling, type, selections)
  // Without resolveType, graphql-js would call isTypeOf of each possible type, which is not compiled.
  if (!type.resolveType) throw new NotCompiled()
  const byType = new Map<GraphQLObjectType, CompleteValue>(
    compiling.schema
      .getPossibleTypes(type)
      .map((possible) => [possible, compileObject(compiling, possible, selections).complete]),
  )
  const complete = abstractCompleter(type, type.resolveType, (resolved) => byType.get(resolved) as CompleteValue)
  return { complete, cacheKey: undefined }
}

function compileObject(
  compiling: Compiling,
  type: GraphQLObjectType,
  selections: readonly AnalyzedSelection[],
): CompiledValue {
  // isTypeOf is not compiled: graphql-js executes these types, and creates the error for a value of another type.
  if (type.isTypeOf) throw new NotCompiled()
  const selection = compileSelection(compiling, type, selections)
  const { number } = selection
  return { complete: objectCompleter(selection), cacheKey: number === undefined ? undefined : `{${number}}` }
}
