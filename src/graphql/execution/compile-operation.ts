// Compiles an operation once: which fields are selected of which type, who resolves each, how its value is completed.
import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import { completeAbstract, completeLeaf, completeList, completeNonNull, completeObject } from './execute-fields.ts'
import { isCacheable, preloadedResolver } from './preloaded-fields.ts'
import type { CompiledField, CompiledOperation, CompleteValue, Execution } from './types.ts'

type VariableValues = Execution['variableValues']

/** Operations of a document, by name and by the variables that @include and @skip read. */
type CompiledDocument = Map<string, CompiledOperation | undefined>

const compiled = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, CompiledDocument>>()

/** A document has two variants for each variable of its @include and @skip; so many are kept. */
const maxVariants = 32

/** Undefined for an operation that graphql-js is to execute: introspection, subscriptions, and what is too large to keep. */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variableValues: VariableValues,
): CompiledOperation | undefined {
  const operation = getOperationAST(document, operationName)
  if (!operation) return undefined
  const ofSchema = compiled.get(schema) ?? new WeakMap<DocumentNode, CompiledDocument>()
  compiled.set(schema, ofSchema)
  const ofDocument: CompiledDocument = ofSchema.get(document) ?? new Map()
  ofSchema.set(document, ofDocument)
  const conditions = conditionVariables(document).map((name) => variableValues.coerced[name] === true)
  const key = JSON.stringify([operationName ?? null, conditions])
  if (ofDocument.has(key)) return ofDocument.get(key)
  if (ofDocument.size >= maxVariants) ofDocument.clear()
  const result = compile(schema, document, operation, variableValues)
  ofDocument.set(key, result)
  return result
}

const conditionsOfDocument = new WeakMap<DocumentNode, readonly string[]>()

/** Names of the variables that decide whether something is selected. */
function conditionVariables(document: DocumentNode): readonly string[] {
  const cached = conditionsOfDocument.get(document)
  if (cached) return cached
  const names = new Set<string>()
  for (const definition of document.definitions) {
    if ('selectionSet' in definition) addConditionVariables(definition.selectionSet, names)
  }
  conditionsOfDocument.set(document, [...names])
  return [...names]
}

function addConditionVariables(set: SelectionSetNode | undefined, names: Set<string>): void {
  for (const selection of set?.selections ?? []) {
    for (const { arguments: args = [] } of selection.directives ?? []) {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    }
    if (selection.kind !== Kind.FRAGMENT_SPREAD) addConditionVariables(selection.selectionSet, names)
  }
}

class NotCompiled extends Error {}

/** Fields of one operation: fragments that spread fragments can select very many. */
const maxFields = 1000

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: CompiledOperation['operation'],
  variableValues: VariableValues,
): CompiledOperation | undefined {
  const isMutation = operation.operation === OperationTypeNode.MUTATION
  const root = isMutation ? schema.getMutationType() : schema.getQueryType()
  if (operation.operation === OperationTypeNode.SUBSCRIPTION || !root) return undefined
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  try {
    const compiling: Compiling = { schema, fragments, variableValues, fields: 0, hasRepeatedFields: false }
    const { fields } = compileSelection(compiling, root, [operation.selectionSet])
    return { schema, operation, fragments, fields, hasRepeatedFields: compiling.hasRepeatedFields }
  } catch (error) {
    if (error instanceof NotCompiled) return undefined
    throw error
  }
}

interface Compiling {
  readonly schema: GraphQLSchema
  readonly fragments: Record<string, FragmentDefinitionNode>
  readonly variableValues: VariableValues
  /** How many were compiled so far. */
  fields: number
  hasRepeatedFields: boolean
}

interface CompiledSelection {
  readonly fields: readonly CompiledField[]
  readonly isCacheable: boolean
}

function compileSelection(
  compiling: Compiling,
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
): CompiledSelection {
  const nodes = new Map<string, FieldNode[]>()
  const spread = new Set<string>()
  for (const set of sets) collectFields(compiling, type, set, nodes, spread)
  const fields = [...nodes].map(([key, ofKey]) => compileField(compiling, type, key, ofKey))
  const withoutArguments = fields.filter(({ hasArguments }) => !hasArguments)
  const definitions = new Set(withoutArguments.map(({ definition }) => definition))
  compiling.hasRepeatedFields ||= definitions.size < withoutArguments.length
  return { fields, isCacheable: fields.every((field) => field.isCacheable) }
}

function collectFields(
  compiling: Compiling,
  type: GraphQLObjectType,
  set: SelectionSetNode | undefined,
  nodes: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const selection of set?.selections ?? []) {
    if (!isIncluded(compiling, selection)) continue
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value
      const sameKey = nodes.get(key)
      if (sameKey) sameKey.push(selection)
      else nodes.set(key, [selection])
      continue
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : compiling.fragments[selection.name.value]
    if (!fragment) continue
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      if (spread.has(selection.name.value)) continue
      spread.add(selection.name.value)
    }
    if (applies(compiling.schema, fragment.typeCondition?.name.value, type)) {
      collectFields(compiling, type, fragment.selectionSet, nodes, spread)
    }
  }
}

type Selection = SelectionSetNode['selections'][number]

function isIncluded({ variableValues }: Compiling, selection: Selection): boolean {
  if (!selection.directives?.length) return true
  if (getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.if !== false
}

function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}

function compileField(compiling: Compiling, type: GraphQLObjectType, key: string, nodes: FieldNode[]): CompiledField {
  compiling.fields += 1
  if (compiling.fields > maxFields) throw new NotCompiled()
  const [node] = nodes
  const definition = node && compiling.schema.getField(type, node.name.value)
  const isIntrospection = definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef
  // Results have a prototype, which this key would set.
  if (!node || !definition || isIntrospection || key === '__proto__') throw new NotCompiled()
  const { complete, isCacheable: isValueCacheable } = compileValue(compiling, definition.type, nodes)
  const hasArguments = definition.args.length > 0
  return {
    key,
    node,
    nodes,
    definition,
    parent: type,
    isNullable: !isNonNullType(definition.type),
    hasArguments,
    resolve: resolverOf(type, definition),
    resolvePreloaded: preloadedResolver(definition),
    isCacheable: !hasArguments && isValueCacheable && isCacheable(type, definition),
    complete,
  }
}

function resolverOf(type: GraphQLObjectType, definition: GraphQLField<unknown, unknown>) {
  return definition === TypeNameMetaFieldDef ? () => type.name : (definition.resolve ?? defaultFieldResolver)
}

interface CompiledValue {
  readonly complete: CompleteValue
  readonly isCacheable: boolean
}

function compileValue(compiling: Compiling, type: GraphQLOutputType, nodes: readonly FieldNode[]): CompiledValue {
  if (isNonNullType(type)) {
    const { complete, isCacheable } = compileValue(compiling, type.ofType, nodes)
    return { complete: completeNonNull(complete), isCacheable }
  }
  if (isListType(type)) {
    const { complete, isCacheable } = compileValue(compiling, type.ofType, nodes)
    return { complete: completeList(complete, !isNonNullType(type.ofType)), isCacheable }
  }
  if (isLeafType(type)) return { complete: completeLeaf(type), isCacheable: true }
  const sets = nodes.map((node) => node.selectionSet)
  if (isObjectType(type)) return compileObject(compiling, type, sets)
  const byType = new Map<GraphQLObjectType, CompleteValue>(
    compiling.schema
      .getPossibleTypes(type)
      .map((possible) => [possible, compileObject(compiling, possible, sets).complete]),
  )
  const complete = completeAbstract(type, (resolved) => byType.get(resolved) as CompleteValue)
  return { complete, isCacheable: false }
}

function compileObject(
  compiling: Compiling,
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
): CompiledValue {
  // Its errors show the value as graphql-js alone can.
  if (type.isTypeOf) throw new NotCompiled()
  const { fields, isCacheable } = compileSelection(compiling, type, sets)
  return { complete: completeObject(fields, isCacheable), isCacheable }
}
