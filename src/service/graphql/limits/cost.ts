// Computes the cost of an operation before it runs, from the number of values that it may read and of database queries.
import {
  type FieldNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql'
import type { Settings } from '../../../basics/env.ts'
import { isFile } from '../../../basics/input-limits.ts'
import { memoizeByObject } from '../../../basics/memoize.ts'
import {
  type AnalyzedField,
  type AnalyzedSelection,
  analyzeOperation,
  coerceVariables,
  type OperationRequest,
  type Variables,
} from '../../../engine/execution/analyze-operation.ts'
import { maxPageSize } from '../page-size.ts'
import { type Complexity, complexityOf, introspectionComplexity } from './complexity.ts'

/** The computed cost of an operation. */
export interface OperationCost {
  readonly total: number
  /** Number of mutation fields; 0 for a query. */
  readonly writes: number
}

const weights = {
  list: 50,
  /** Cost of a connection of a record. One statement loads the connections of all records in a list. */
  relatedList: 20,
  record: 10,
  write: 50,
  object: 1,
  value: 0.15,
  inputObject: 10,
} as const
/** Assumed length of lists that declare none, such as the venues of an event, translations or tickets. */
const defaultLength = 3
/** Minimum length of lists below a `leadsToParent` field, because each record may lead to the whole list again. */
const minLengthBelowParent = 200

/** Computes the cost of an operation; undefined if the operation does not exist, or if its variables are invalid. */
export function computeOperationCost(
  schema: GraphQLSchema,
  request: OperationRequest,
  settings: Settings,
): OperationCost | undefined {
  const operation = analyzeOperation(schema, request)
  const { variableValues } = operation ? coerceVariables(operation, request.variableValues) : {}
  if (!operation || !variableValues) return undefined
  const context: CostContext = { schema, settings, variables: variableValues.coerced, sums: new Map() }
  const { cost, once, fields } = sum(
    operation.root,
    { size: undefined, lists: 0, hasParentField: false, isNested: false },
    context,
  )
  return { total: Math.min(Math.ceil(cost + once), 1e9), writes: operation.node.operation === 'mutation' ? fields : 0 }
}

interface CostContext {
  readonly schema: GraphQLSchema
  readonly settings: Pick<Settings, 'perPageDefault' | 'perPageMax'>
  readonly variables: Variables
  /** Sums by selection and place, so that a fragment that is spread repeatedly is computed only once. */
  readonly sums: Map<string, Sum>
}

interface Sum {
  readonly cost: number
  /** Cost that is counted once, however many records have the field, such as a search in the lists of all these records. */
  readonly once: number
  readonly fields: number
}

interface Place {
  /** Length of the lists directly in a page or connection; undefined in other places. */
  readonly size: number | undefined
  /** Number of enclosing lists without a size, whose lengths multiply. */
  readonly lists: number
  /** Whether the path leads through a list and then to a parent. */
  readonly hasParentField: boolean
  /** Whether the path leads through a list with slicing arguments within another list. */
  readonly isNested: boolean
}

function sum(selection: AnalyzedSelection, at: Place, context: CostContext): Sum {
  const { perPageDefault, perPageMax } = context.settings
  const key = `${selection.number} ${at.size} ${at.lists} ${at.hasParentField} ${at.isNested} ${perPageDefault} ${perPageMax}`
  const sums = selection.isPlain ? constantSums(selection) : context.sums
  const existing = sums.get(key)
  if (existing) return existing
  const result = sumOf(selection, at, context)
  sums.set(key, result)
  return result
}

/** Sums of a selection without arguments, which are the same for all requests. */
const constantSums = memoizeByObject((_selection: AnalyzedSelection) => new Map<string, Sum>())

function sumOf({ type, parts }: AnalyzedSelection, at: Place, context: CostContext): Sum {
  const total = { cost: 0, once: 0, fields: 0 }
  for (const part of parts) {
    const { cost, once, fields } =
      part.kind === 'field' ? fieldCost(part, type, at, context) : sum(part.selection, at, context)
    total.cost += cost
    total.once += once
    total.fields += fields
  }
  return total
}

function fieldCost(
  { node, definition: field, selection }: AnalyzedField,
  parent: GraphQLCompositeType,
  at: Place,
  context: CostContext,
): Sum {
  const { weight, nestedWeight = 0, slicingArguments, length, leadsToParent = false } = complexityOf(field)
  const ofText = at.isNested ? nestedWeight : 0
  if (!selection) return { cost: ofText || (weight ?? weights.value), once: 0, fields: 1 }
  if (isIntrospectionType(selection.type))
    return { cost: introspectionCost(selection, field, at, context), once: 0, fields: 1 }
  const args = argumentsOf(node, field, context)
  const isMany = isList(field.type)
  const isRoot = parent === context.schema.getQueryType()
  const ofInput = argumentsCost(field, args, !isRoot)
  const ofSearch = argumentsCost(field, args, false) - ofInput
  if ((slicingArguments || length) && !isMany) {
    const size = length?.(args) ?? sizeOf(slicingArguments ?? [], args, context.settings)
    const place = { ...at, size, isNested: at.isNested || !isRoot }
    const { cost, once } = sum(selection, place, context)
    const ofList = isRoot ? weights.list : weights.relatedList
    return { cost: ofList + ofInput + cost, once: ofSearch + once, fields: 1 }
  }
  const times = isMany ? lengthOf(field, args, at, context.settings) : 1
  const lists = at.lists + (isMany && at.size === undefined && !slicingArguments ? 1 : 0)
  const isBack = at.hasParentField || (leadsToParent && lists > 0)
  const isNested = at.isNested || (isMany && slicingArguments !== undefined && !isRoot)
  const inner = sum(selection, { size: undefined, lists, hasParentField: isBack, isNested }, context)
  const ofField = baseOf(parent, slicingArguments ? times : 1, context.schema) + (weight ?? 0) + ofText + ofInput
  return { cost: ofField + times * (weights.object + inner.cost), once: ofSearch + inner.once, fields: 1 }
}

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type)

/** Returns the size of a list according to its arguments. Sizes above the maximum count as the maximum: resolvers reject them. */
function sizeOf(slicing: readonly string[], args: Args, settings: CostContext['settings']): number {
  const value = slicing.map((name) => args[name]).find((each) => each !== undefined && each !== null)
  if (Array.isArray(value)) return value.length
  return Math.min(typeof value === 'number' && value >= 0 ? value : settings.perPageDefault, maxPageSize(settings))
}

function lengthOf(
  field: GraphQLField<unknown, unknown>,
  args: Args,
  { size, lists, hasParentField: isBack }: Place,
  settings: CostContext['settings'],
): number {
  if (size !== undefined) return size
  const { slicingArguments, assumedSize = defaultLength } = complexityOf(field)
  if (slicingArguments) return sizeOf(slicingArguments, args, settings)
  const length = assumedSize * 10 ** Math.max(0, lists - 1)
  return isBack ? Math.max(length, minLengthBelowParent) : length
}

/**
 * Returns the cost of the database queries of a field. A list at the root, such as `nodes`, looks up each record separately. A
 * subscription first finds the matching records, like a list.
 */
function baseOf(parent: GraphQLCompositeType, lookups: number, schema: GraphQLSchema): number {
  if (parent === schema.getMutationType()) return weights.write
  if (parent === schema.getSubscriptionType()) return weights.list
  return parent === schema.getQueryType() ? weights.record * lookups : 0
}

type Args = Readonly<Record<string, unknown>>

/** Returns the values of the arguments, with default values for lengths that are not set. */
function argumentsOf(node: FieldNode, field: GraphQLField<unknown, unknown>, context: CostContext): Args {
  const defaults = (complexityOf(field).slicingArguments ?? []).map((name) => {
    const argument = field.args.find((each) => each.name === name)
    return [name, argument?.default?.value ?? argument?.defaultValue] as const
  })
  const entries = (node.arguments ?? []).flatMap(({ name, value }) => {
    const argument = valueFromASTUntyped(value, context.variables)
    return argument === undefined ? [] : [[name.value, argument] as const]
  })
  return Object.fromEntries([...defaults, ...entries])
}

/** The place of an input value in an operation. */
interface InputPlace {
  readonly ofRecord: boolean
  readonly depth: number
}

function argumentsCost({ args: declared }: GraphQLField<unknown, unknown>, values: Args, ofRecord: boolean): number {
  let cost = 0
  for (const argument of declared) cost += weighedInput(argument, values[argument.name], { ofRecord, depth: 0 })
  return cost
}

function weighedInput(declared: GraphQLArgument | GraphQLInputField, value: unknown, at: InputPlace): number {
  if (value === undefined || value === null) return 0
  return weightOf(complexityOf(declared), value, at) + inputCost(declared.type, value, at)
}

const weightOf = (declared: Complexity, value: unknown, { ofRecord }: InputPlace): number =>
  declared.weightOf?.(value, ofRecord) ?? declared.weight ?? 0

/** Returns the weight of an enum value, such as a sort order. Variables contain internal values, documents contain names. */
function enumValueCost(type: GraphQLEnumType, value: unknown, at: InputPlace): number {
  const found = type.getValues().find((each) => each.value === value || each.name === value)
  return found ? weightOf(complexityOf(found), value, at) : 0
}

/** Returns the cost of an input value: of its list items, and of filters that declare a weight. */
function inputCost(type: GraphQLInputType, value: unknown, at: InputPlace): number {
  const item = getNamedType(type)
  if (isEnumType(item) && typeof value === 'string') return enumValueCost(item, value, at)
  // Deeper values are rejected by the input limits.
  if (typeof value !== 'object' || value === null || isFile(value) || at.depth > 60) return 0
  const inner = { ...at, depth: at.depth + 1 }
  let cost = 0
  if (Array.isArray(value)) {
    for (const each of value) {
      cost += (typeof each === 'object' ? weights.inputObject : 1) + inputCost(type, each, inner)
    }
    return cost
  }
  if (isInputObjectType(item)) {
    for (const field of Object.values(item.getFields())) {
      cost += weighedInput(field, (value as Args)[field.name], inner)
    }
    return cost
  }
  // The type is a scalar that accepts any JSON, so all its values count.
  for (const each of Object.values(value)) cost += inputCost(type, each, inner)
  return cost
}

/** Factor for the cost of introspection, which needs no database query. */
const introspectionShare = 0.02

function introspectionCost(
  selection: AnalyzedSelection,
  field: GraphQLField<unknown, unknown>,
  at: Place,
  context: CostContext,
): number {
  const times = isList(field.type) ? (introspectionComplexity(field).assumedSize ?? defaultLength) : 1
  const inner = sum(selection, at, context).cost
  return times * inner * (field.name.startsWith('__') ? introspectionShare : 1)
}
