// Converts a GraphQL operation to a tree of fields and types, once per document. Complexity limits, record selections and
// execution use this tree. A fragment that is spread repeatedly occurs only once in the tree.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  type InlineFragmentNode,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import { memoizeByObject } from '../../basics/memoize.ts'

/** A GraphQL operation as a tree of selection sets and fields with their types. */
export interface AnalyzedOperation {
  readonly schema: GraphQLSchema
  readonly node: OperationDefinitionNode
  readonly fragments: Fragments
  readonly root: AnalyzedSelection
  /** Fields by their AST node. A field in a fragment on an interface is analyzed for each type that the fragment is spread in. */
  readonly fields: ReadonlyMap<FieldNode, readonly AnalyzedField[]>
  /** Names of the variables that @include and @skip read. */
  readonly conditionVariables: ReadonlySet<string>
  /** Whether the operation selects unknown fields or fragments. The tree omits them, and validation rejects the operation. */
  readonly hasUnknownParts: boolean
}

/** A selection set with the type of its fields. */
export interface AnalyzedSelection {
  /** Unique number, for cache keys. */
  readonly number: number
  readonly type: GraphQLCompositeType
  readonly parts: readonly (AnalyzedField | AnalyzedFragment)[]
  /** Whether no field and no fragment in the selection set, at any depth, has a directive or arguments. */
  readonly isPlain: boolean
}

/** A field of a selection set. */
export interface AnalyzedField {
  readonly kind: 'field'
  /** The type of the selection set that contains the field. */
  readonly parent: GraphQLCompositeType
  readonly node: FieldNode
  /** Name of the field in the response: its alias, or else its name. */
  readonly key: string
  readonly definition: GraphQLField<unknown, unknown>
  /** The type that the field returns, without list and non-null wrappers. */
  readonly type: GraphQLNamedType
  readonly selection: AnalyzedSelection | undefined
}

interface AnalyzedFragment {
  readonly kind: 'fragment'
  readonly node: FragmentSpreadNode | InlineFragmentNode
  /** Name of a fragment; undefined for an inline fragment. */
  readonly name: string | undefined
  readonly selection: AnalyzedSelection
}

type Fragments = Record<string, FragmentDefinitionNode>

/** A document, the name of the operation to run, and the variables. */
export interface OperationRequest {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

export const operationTypeOf = ({ document, operationName }: OperationRequest): OperationTypeNode | undefined =>
  getOperationAST(document, operationName)?.operation

/** Analyzes an operation. Returns undefined if the document does not contain it, or the schema does not support its type. */
export function analyzeOperation(
  schema: GraphQLSchema,
  { document, operationName }: OperationRequest,
): AnalyzedOperation | undefined {
  const operation = getOperationAST(document, operationName)
  return operation ? analyses(schema)(operation, fragmentsOf(document)) : undefined
}

export type Variables = Readonly<Record<string, unknown>>

const noVariables: Variables = {}

/** Returns the coerced values of variables, or errors. Coerces the variables of a request only once. */
export const coerceVariables = (operation: AnalyzedOperation, variables: Variables | null | undefined) =>
  coercedVariables(operation)(variables ?? noVariables)

const coercedVariables = memoizeByObject(({ schema, node }: AnalyzedOperation) =>
  memoizeByObject((variables: Variables) =>
    getVariableValues(schema, node.variableDefinitions ?? [], variables, { maxErrors: 10, hideSuggestions: true }),
  ),
)

/** Returns the field that a resolver resolves; undefined if several fields with the same response key are merged. */
export function findAnalyzedField(info: GraphQLResolveInfo): AnalyzedField | undefined {
  const [node, ...others] = info.fieldNodes
  return node === undefined || others.length > 0 ? undefined : fieldOf(node, info)
}

/** Returns the analyzed field for the object type; if a fragment was analyzed for an interface only, for this interface. */
function fieldOf(node: FieldNode, info: GraphQLResolveInfo): AnalyzedField | undefined {
  const fields = findAnalyzedOperation(info)?.fields.get(node) ?? []
  return fields.find(({ parent }) => parent === info.parentType) ?? fields.find(({ parent }) => isAbstractType(parent))
}

/** Returns the analyzed operation of a resolver; undefined if it cannot be analyzed. */
export const findAnalyzedOperation = ({
  schema,
  operation,
  fragments,
}: GraphQLResolveInfo): AnalyzedOperation | undefined => analyses(schema)(operation, fragments)

/** Returns the names of the selected fields of the object that a field returns, or of objects at a path below this object. */
export function selectedFieldNames(info: GraphQLResolveInfo, path: readonly string[] = []): ReadonlySet<string> {
  const { fieldNodes, variableValues } = info
  const names = new Set<string>()
  const collect = ({ parts }: AnalyzedSelection, [next, ...rest]: readonly string[]) => {
    for (const part of parts) {
      if (!isIncluded(part.node, variableValues)) continue
      if (part.kind === 'fragment') collect(part.selection, next === undefined ? [] : [next, ...rest])
      else if (next === undefined) names.add(part.definition.name)
      else if (part.definition.name === next && part.selection) collect(part.selection, rest)
    }
  }
  for (const node of fieldNodes) {
    const selection = fieldOf(node, info)?.selection
    if (selection) collect(selection, path)
  }
  return names
}

/** Whether the directives of a field or fragment include it. */
export function isIncluded(
  node: AnalyzedSelection['parts'][number]['node'],
  variableValues: GraphQLResolveInfo['variableValues'],
): boolean {
  if (!node.directives?.length) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if !== false
}

const analyses = memoizeByObject((schema: GraphQLSchema) =>
  memoizeByObject((operation: OperationDefinitionNode, fragments: Fragments) => analyze(schema, operation, fragments)),
)

const fragmentsOf = memoizeByObject((document: DocumentNode): Fragments => {
  const fragments = Object.create(null) as Fragments
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  return fragments
})

function analyze(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  fragments: Fragments,
): AnalyzedOperation | undefined {
  const rootType = schema.getRootType(node.operation)
  if (!rootType) return undefined
  const analyzing: Analyzing = {
    schema,
    fragments,
    fields: new Map(),
    conditionVariables: new Set(),
    selectionOfFragment: new Map(),
    hasUnknownParts: false,
  }
  const root = analyzeSelection(analyzing, rootType, node.selectionSet)
  return { ...analyzing, node, root }
}

interface Analyzing extends Pick<AnalyzedOperation, 'schema' | 'fragments'> {
  readonly fields: Map<FieldNode, AnalyzedField[]>
  readonly conditionVariables: Set<string>
  /** Selections of fragments by name and type; undefined while a fragment is being analyzed, in case it spreads itself. */
  readonly selectionOfFragment: Map<string, AnalyzedSelection | undefined>
  hasUnknownParts: boolean
}

let selectionCount = 0

function analyzeSelection(analyzing: Analyzing, type: GraphQLCompositeType, set: SelectionSetNode): AnalyzedSelection {
  const parts: (AnalyzedField | AnalyzedFragment)[] = []
  let isPlain = true
  for (const node of set.selections) {
    for (const { arguments: args = [] } of node.directives ?? []) {
      isPlain = false
      for (const { value } of args) if (value.kind === Kind.VARIABLE) analyzing.conditionVariables.add(value.name.value)
    }
    const part = node.kind === Kind.FIELD ? analyzeField(analyzing, type, node) : analyzeFragment(analyzing, type, node)
    if (!part) {
      analyzing.hasUnknownParts = true
      continue
    }
    parts.push(part)
    const hasArguments = node.kind === Kind.FIELD && (node.arguments ?? []).length > 0
    isPlain &&= !hasArguments && part.selection?.isPlain !== false
  }
  selectionCount += 1
  return { number: selectionCount, type, parts, isPlain }
}

function analyzeField(analyzing: Analyzing, parent: GraphQLCompositeType, node: FieldNode): AnalyzedField | undefined {
  const definition = analyzing.schema.getField(parent, node.name.value)
  if (!definition) return undefined
  const type = getNamedType(definition.type)
  const selection =
    node.selectionSet && isCompositeType(type) ? analyzeSelection(analyzing, type, node.selectionSet) : undefined
  const key = (node.alias ?? node.name).value
  const field: AnalyzedField = { kind: 'field', parent, node, key, definition, type, selection }
  analyzing.fields.set(node, [...(analyzing.fields.get(node) ?? []), field])
  return field
}

function analyzeFragment(
  analyzing: Analyzing,
  parent: GraphQLCompositeType,
  node: FragmentSpreadNode | InlineFragmentNode,
): AnalyzedFragment | undefined {
  if (node.kind === Kind.FRAGMENT_SPREAD) {
    const name = node.name.value
    const selection = selectionOfFragment(analyzing, parent, name)
    return selection && { kind: 'fragment', node, name, selection }
  }
  const type = typeIn(analyzing, parent, node.typeCondition?.name.value ?? parent.name)
  return (
    type && { kind: 'fragment', node, name: undefined, selection: analyzeSelection(analyzing, type, node.selectionSet) }
  )
}

function selectionOfFragment(
  analyzing: Analyzing,
  parent: GraphQLCompositeType,
  name: string,
): AnalyzedSelection | undefined {
  const { fragments, selectionOfFragment: analyzed } = analyzing
  const fragment = fragments[name]
  const type = fragment && typeIn(analyzing, parent, fragment.typeCondition.name.value)
  if (!type) return undefined
  const key = `${name} ${type.name}`
  if (analyzed.has(key)) return analyzed.get(key)
  analyzed.set(key, undefined)
  const selection = analyzeSelection(analyzing, type, fragment.selectionSet)
  analyzed.set(key, selection)
  return selection
}

/** Returns the type of a fragment's fields: the parent if it is an object type, otherwise the type condition. */
function typeIn({ schema }: Analyzing, parent: GraphQLCompositeType, name: string): GraphQLCompositeType | undefined {
  const type = schema.getType(name)
  if (!isCompositeType(type)) return undefined
  return isObjectType(parent) && isAbstractType(type) && schema.isSubType(type, parent) ? parent : type
}
