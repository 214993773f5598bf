// What an operation costs, before it runs: little for each value that it may read, more for what asks the database.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLError,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
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
  search: 50,
  record: 10,
  write: 50,
  total: 10,
  object: 1,
  value: 0.15,
  inputObject: 10,
  /** A long text of a record in a list within another: the same may be read again for each. */
  nestedText: 10,
} as const
/** Lists without a size: venues of an event, translations, tickets. */
const usualLength = 3
/** Parts of an event, categories within one: there may be many. */
const usualChildren = 20
/** Of lists that are reached by going up again: each record of a list leads to all of the list. */
const lengthOnReturn = 200
const longTexts = new Set(['description', 'descriptionHtml', 'excerpt', 'excerptHtml', 'customFields', 'translations'])
const totals = new Set(['total', 'totalPages', 'totalCount'])

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
  const { cost, fields } = sum(operation.root, { size: 0, lists: 0, isBack: false, isNested: false }, work)
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
  /** Of the page or connection whose fields these are. */
  readonly size: number
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
  const name = field.name
  const ofText = at.isNested && longTexts.has(name) ? weights.nestedText : 0
  if (!selection) return ofText || (totals.has(name) ? weights.total : weights.value)
  if (isIntrospectionType(selection.type)) return introspectionCost(selection, field, at, work)
  const args = argumentsOf(node, work)
  const given = inputCost(args)
  if (isPaged(selection.type)) {
    const length = sizeOf(args, work.settings)
    return weights.list + given + sum(selection, { ...at, size: length }, work).cost
  }
  const isMany = isList(field.type)
  const times = isMany ? lengthOf(field, parent, args, at, work.settings) : 1
  const lists = at.lists + (isMany && !isPaged(parent) && !isSized(field) ? 1 : 0)
  const isBack = at.isBack || (name === 'parent' && lists > 0)
  const isNested = at.isNested || (isMany && isSized(field) && name !== 'nodes')
  const each = weights.object + sum(selection, { size: 0, lists, isBack, isNested }, work).cost
  return baseOf(name, parent, times, work.schema) + ofText + given + times * each
}

const isPaged = (type: GraphQLCompositeType) =>
  type.name.endsWith('Connection') || (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Page'))

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type)

/** As the lists themselves read it. */
function sizeOf({ first, last, perPage }: Args, { perPageDefault, perPageMax }: Work['settings']): number {
  const asked = first ?? last ?? perPage
  return Math.min(typeof asked === 'number' && asked >= 0 ? asked : perPageDefault, perPageMax)
}

const isSized = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ name }) => name === 'first' || name === 'ids')

function lengthOf(
  field: GraphQLField<unknown, unknown>,
  parent: GraphQLCompositeType,
  args: Args,
  { size, lists, isBack }: Place,
  settings: Work['settings'],
): number {
  if (isPaged(parent)) return size
  if (Array.isArray(args.ids)) return args.ids.length
  if (isSized(field)) return sizeOf(args, settings)
  const length = (field.name === 'children' ? usualChildren : usualLength) * 10 ** Math.max(0, lists - 1)
  return isBack ? Math.max(length, lengthOnReturn) : length
}

function baseOf(name: string, parent: GraphQLCompositeType, times: number, schema: GraphQLSchema): number {
  if (parent === schema.getMutationType()) return weights.write
  if (parent === schema.getQueryType()) return weights.record * (name === 'nodes' ? times : 1)
  return 0
}

type Args = Readonly<Record<string, unknown>>

function argumentsOf(node: FieldNode, work: Work): Args {
  const given = (node.arguments ?? []).flatMap(({ name, value }) => {
    const read = valueFromASTUntyped(value, work.variables)
    return read === undefined ? [] : [[name.value, read] as const]
  })
  return Object.fromEntries(given)
}

/** Of what is handed in: each item of a list, and searches, which no index of an order serves. */
function inputCost(value: unknown, depth = 0): number {
  // Deeper ones are refused by those who read them.
  if (typeof value !== 'object' || value === null || depth > 60) return 0
  if (Array.isArray(value)) {
    let cost = 0
    for (const item of value) {
      cost += (typeof item === 'object' ? weights.inputObject : 1) + inputCost(item, depth + 1)
    }
    return cost
  }
  let cost = 0
  for (const [key, item] of Object.entries(value)) {
    if ((key === 'search' || key === 'near') && item !== null) cost += weights.search
    cost += inputCost(item, depth + 1)
  }
  return cost
}

/** What a schema says of itself lies in memory. */
const introspectionShare = 0.02
/** Lengths of the lists of a schema like this one. */
const lengths: Readonly<Record<string, number>> = { types: 120, fields: 10, inputFields: 10, enumValues: 5 }

function introspectionCost(
  selection: AnalyzedSelection,
  field: GraphQLField<unknown, unknown>,
  at: Place,
  work: Work,
): number {
  const times = isList(field.type) ? (lengths[field.name] ?? usualLength) : 1
  const inner = sum(selection, at, work).cost
  return times * inner * (field.name.startsWith('__') ? introspectionShare : 1)
}
