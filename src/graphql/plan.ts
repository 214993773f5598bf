// What of an operation is the same each time it runs: which fields are asked of which type, who resolves each, what
// becomes of its value. Worked out once a document; whatever is not here is left to graphql itself.
import {
  type DocumentNode,
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import { completeLeaf, completeList, completeObject, completeRequired } from './complete.ts'
import type { Complete, PlannedField } from './run.ts'
import { ownResolver } from './whole.ts'

export interface OperationPlan {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: Record<string, FragmentDefinitionNode>
  readonly fields: readonly PlannedField[]
  /** Whether a field without arguments stands twice in one place: what comes of it says the same again and again. */
  readonly repeats: boolean
}

const plans = new WeakMap<GraphQLSchema, WeakMap<DocumentNode, Map<string, OperationPlan | undefined>>>()

/** Undefined for an operation that graphql itself is to run. */
export function planOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): OperationPlan | undefined {
  const ofSchema = plans.get(schema) ?? new WeakMap<DocumentNode, Map<string, OperationPlan | undefined>>()
  plans.set(schema, ofSchema)
  const known = ofSchema.get(document) ?? new Map<string, OperationPlan | undefined>()
  ofSchema.set(document, known)
  const name = operationName ?? ''
  if (!known.has(name)) {
    const operation = getOperationAST(document, operationName)
    // Names that the document lacks are not remembered.
    if (!operation) return undefined
    known.set(name, plan(schema, document, operation))
  }
  return known.get(name)
}

class Unplanned extends Error {}

/** Fields that are planned of one operation: fragments that lead to fragments come to very many, and plans are kept. */
const most = 1000

function plan(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationPlan | undefined {
  const root = schema.getQueryType()
  if (operation.operation !== OperationTypeNode.QUERY || !root) return undefined
  // Read before, by whoever made the context.
  if (operation.directives?.some(({ name }) => name.value !== 'inContext')) return undefined
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  try {
    const planned: Planned = { schema, fragments, fields: 0, repeats: false }
    const fields = selection(planned, root, [operation.selectionSet])
    return { schema, operation, fragments, fields, repeats: planned.repeats }
  } catch (error) {
    if (error instanceof Unplanned) return undefined
    throw error
  }
}

interface Planned {
  readonly schema: GraphQLSchema
  readonly fragments: Record<string, FragmentDefinitionNode>
  /** How many there are until now. */
  fields: number
  repeats: boolean
}

function selection(
  planned: Planned,
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
): PlannedField[] {
  const nodes = new Map<string, FieldNode[]>()
  const spread = new Set<string>()
  for (const set of sets) collect(planned, type, set, nodes, spread)
  const fields = [...nodes].map(([key, those]) => field(planned, type, key, those))
  const plain = fields.filter(({ hasArguments }) => !hasArguments)
  planned.repeats ||= new Set(plain.map(({ definition }) => definition)).size < plain.length
  return fields
}

function collect(
  planned: Planned,
  type: GraphQLObjectType,
  set: SelectionSetNode | undefined,
  nodes: Map<string, FieldNode[]>,
  spread: Set<string>,
): void {
  for (const selected of set?.selections ?? []) {
    if (selected.directives?.length) throw new Unplanned()
    if (selected.kind === Kind.FIELD) {
      const key = (selected.alias ?? selected.name).value
      const same = nodes.get(key)
      if (same) same.push(selected)
      else nodes.set(key, [selected])
      continue
    }
    const fragment = selected.kind === Kind.INLINE_FRAGMENT ? selected : planned.fragments[selected.name.value]
    if (!fragment || fragment.directives?.length) throw new Unplanned()
    if (selected.kind === Kind.FRAGMENT_SPREAD) {
      if (spread.has(selected.name.value)) continue
      spread.add(selected.name.value)
    }
    if (applies(planned.schema, fragment.typeCondition?.name.value, type)) {
      collect(planned, type, fragment.selectionSet, nodes, spread)
    }
  }
}

function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true
  const named = schema.getType(condition)
  return isAbstractType(named) && schema.isSubType(named, type)
}

function field(planned: Planned, type: GraphQLObjectType, key: string, nodes: FieldNode[]): PlannedField {
  planned.fields += 1
  if (planned.fields > most) throw new Unplanned()
  const [node] = nodes
  const definition = node && planned.schema.getField(type, node.name.value)
  // The objects that are answered have a prototype.
  if (!node || !definition || definition.name === '__schema' || definition.name === '__type' || key === '__proto__') {
    throw new Unplanned()
  }
  return {
    key,
    node,
    nodes,
    definition,
    parent: type,
    isNullable: !isNonNullType(definition.type),
    hasArguments: definition.args.length > 0,
    resolve: resolverOf(type, definition),
    own: ownResolver(definition),
    complete: completion(planned, definition.type, nodes),
  }
}

function resolverOf(type: GraphQLObjectType, { name, resolve }: GraphQLField<unknown, unknown>) {
  return name === '__typename' ? () => type.name : (resolve ?? defaultFieldResolver)
}

function completion(planned: Planned, type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
  if (isNonNullType(type)) return completeRequired(completion(planned, type.ofType, nodes))
  if (isListType(type)) return completeList(completion(planned, type.ofType, nodes), !isNonNullType(type.ofType))
  if (isLeafType(type)) return completeLeaf(type)
  if (!isObjectType(type) || type.isTypeOf) throw new Unplanned()
  const sets = nodes.map((node) => node.selectionSet)
  return completeObject(selection(planned, type, sets))
}
