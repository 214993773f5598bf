// What an operation costs, before it runs: little for each value that it may read, more for what asks the database.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql'
import type { Settings } from '../../env.ts'
import { memoize } from '../../memoize.ts'
import {
  type AnalyzedField,
  type AnalyzedSelection,
  analyzeOperation,
  coerceVariables,
  type Variables,
} from '../analyze-operation.ts'
import { complexityOf, introspectionComplexity } from './complexity.ts'

interface Request {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

export interface Cost {
  readonly total: number
  /** Fields of a mutation, each a write of its own; 0 for a query. */
  readonly writes: number
}

const weights = {
  list: 50,
  record: 10,
  write: 50,
  object: 1,
  value: 0.15,
  inputObject: 10,
} as const
/** Lists that declare no size: venues of an event, translations, tickets. */
const usualLength = 3
/** Of lists that are reached by going up again: each record of a list leads to all of the list. */
const lengthOnReturn = 200

/** What is wrong with the variables, if something is; undefined when there is no such operation. */
export function costOf(
  schema: GraphQLSchema,
  request: Request,
  settings: Settings,
): Cost | readonly GraphQLError[] | undefined {
  const operation = analyzeOperation(schema, request)
  if (!operation) return undefined
  const { variableValues, errors } = coerceVariables(operation, request.variableValues)
  if (!variableValues) return errors
  const work: Work = { schema, settings, variables: variableValues.coerced, sums: new Map() }
  const { cost, fields } = sum(operation.root, { size: undefined, lists: 0, isBack: false, isNested: false }, work)
  return { total: Math.min(Math.ceil(cost), 1e9), writes: operation.node.operation === 'mutation' ? fields : 0 }
}

interface Work {
  readonly schema: GraphQLSchema
  readonly settings: Pick<Settings, 'perPageDefault' | 'perPageMax'>
  readonly variables: Variables
  /** A selection is summed once for each place that differs, however often it is spread. */
  readonly sums: Map<string, Sum>
}

interface Sum {
  readonly cost: number
  readonly fields: number
}

interface Place {
  /** Length of the lists in the page or connection whose fields these are; undefined elsewhere. */
  readonly size: number | undefined
  /** How many lists without a size are around it: what leads from one to another soon leads to everything. */
  readonly lists: number
  /** Whether the way here went into a list and up to a parent. */
  readonly isBack: boolean
  /** Whether it went into a list with a size of its own, of records of another list. */
  readonly isNested: boolean
}

function sum(selection: AnalyzedSelection, at: Place, work: Work): Sum {
  const key = `${selection.number} ${at.size} ${at.lists} ${at.isBack} ${at.isNested}`
  const { perPageDefault, perPageMax } = work.settings
  const known = work.sums.get(key)
  if (known) return known
  const found = selection.hasVariables
    ? sumOf(selection, at, work)
    : constantSum(`${key} ${perPageDefault} ${perPageMax}`, selection, at, work)
  work.sums.set(key, found)
  return found
}

/** The same whatever the variables are: most of a document that is sent again and again. */
const constantSum = memoize(
  { name: 'constantCosts', max: 5000 },
  (_key: string, selection: AnalyzedSelection, at: Place, work: Work) => sumOf(selection, at, work),
)

function sumOf({ type, parts }: AnalyzedSelection, at: Place, work: Work): Sum {
  let cost = 0
  let fields = 0
  for (const part of parts) {
    if (part.kind === 'field') {
      cost += fieldCost(part, type, at, work)
      fields += 1
      continue
    }
    const inner = sum(part.selection, at, work)
    cost += inner.cost
    fields += inner.fields
  }
  return { cost, fields }
}

function fieldCost(
  { node, definition: field, selection }: AnalyzedField,
  parent: GraphQLCompositeType,
  at: Place,
  work: Work,
): number {
  const { weight, nestedWeight = 0, slicingArguments, leadsToParent = false } = complexityOf(field)
  const ofText = at.isNested ? nestedWeight : 0
  if (!selection) return ofText || (weight ?? weights.value)
  if (isIntrospectionType(selection.type)) return introspectionCost(selection, field, at, work)
  const args = argumentsOf(node, work)
  const ofInput = argumentsCost(field, args)
  const isMany = isList(field.type)
  if (slicingArguments && !isMany) {
    const size = sizeOf(slicingArguments, args, work.settings)
    return weights.list + ofInput + sum(selection, { ...at, size }, work).cost
  }
  const times = isMany ? lengthOf(field, args, at, work.settings) : 1
  const isRoot = parent === work.schema.getQueryType()
  const lists = at.lists + (isMany && at.size === undefined && !slicingArguments ? 1 : 0)
  const isBack = at.isBack || (leadsToParent && lists > 0)
  const isNested = at.isNested || (isMany && slicingArguments !== undefined && !isRoot)
  const each = weights.object + sum(selection, { size: undefined, lists, isBack, isNested }, work).cost
  return baseOf(parent, slicingArguments ? times : 1, work.schema) + ofText + ofInput + times * each
}

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type)

/** As the lists themselves read it. */
function sizeOf(slicing: readonly string[], args: Args, { perPageDefault, perPageMax }: Work['settings']): number {
  const value = slicing.map((name) => args[name]).find((each) => each !== undefined && each !== null)
  if (Array.isArray(value)) return value.length
  return Math.min(typeof value === 'number' && value >= 0 ? value : perPageDefault, perPageMax)
}

function lengthOf(
  field: GraphQLField<unknown, unknown>,
  args: Args,
  { size, lists, isBack }: Place,
  settings: Work['settings'],
): number {
  if (size !== undefined) return size
  const { slicingArguments, assumedSize = usualLength } = complexityOf(field)
  if (slicingArguments) return sizeOf(slicingArguments, args, settings)
  const length = assumedSize * 10 ** Math.max(0, lists - 1)
  return isBack ? Math.max(length, lengthOnReturn) : length
}

/** A list at the root, such as that of `nodes`, looks up each record by itself. */
function baseOf(parent: GraphQLCompositeType, lookups: number, schema: GraphQLSchema): number {
  if (parent === schema.getMutationType()) return weights.write
  return parent === schema.getQueryType() ? weights.record * lookups : 0
}

type Args = Readonly<Record<string, unknown>>

function argumentsOf(node: FieldNode, work: Work): Args {
  const given = (node.arguments ?? []).flatMap(({ name, value }) => {
    const read = valueFromASTUntyped(value, work.variables)
    return read === undefined ? [] : [[name.value, read] as const]
  })
  return Object.fromEntries(given)
}

function argumentsCost({ args: declared }: GraphQLField<unknown, unknown>, values: Args): number {
  let cost = 0
  for (const argument of declared) cost += weighedInput(argument, values[argument.name], 0)
  return cost
}

function weighedInput(declared: GraphQLArgument | GraphQLInputField, value: unknown, depth: number): number {
  if (value === undefined || value === null) return 0
  return (complexityOf(declared).weight ?? 0) + inputCost(declared.type, value, depth)
}

/** Of what is handed in: each item of a list, and filters that declare a weight. */
function inputCost(type: GraphQLInputType, value: unknown, depth: number): number {
  // Deeper ones are refused by those who read them.
  if (typeof value !== 'object' || value === null || depth > 60) return 0
  let cost = 0
  if (Array.isArray(value)) {
    for (const item of value) {
      cost += (typeof item === 'object' ? weights.inputObject : 1) + inputCost(type, item, depth + 1)
    }
    return cost
  }
  const named = getNamedType(type)
  if (isInputObjectType(named)) {
    for (const field of Object.values(named.getFields())) {
      cost += weighedInput(field, (value as Args)[field.name], depth + 1)
    }
    return cost
  }
  // A scalar that takes any JSON.
  for (const item of Object.values(value)) cost += inputCost(type, item, depth + 1)
  return cost
}

/** What a schema says of itself lies in memory. */
const introspectionShare = 0.02

function introspectionCost(
  selection: AnalyzedSelection,
  field: GraphQLField<unknown, unknown>,
  at: Place,
  work: Work,
): number {
  const times = isList(field.type) ? (introspectionComplexity(field).assumedSize ?? usualLength) : 1
  const inner = sum(selection, at, work).cost
  return times * inner * (field.name.startsWith('__') ? introspectionShare : 1)
}
