// What the answer to an operation depends on: read off the document once, and off each result.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind as Node,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Dependencies, Kind } from './changes.ts'

/**
 * In the `extensions` of a field, an argument or a field of an input: that it makes an answer depend on more than the
 * types which are selected.
 */
export type Reads = {
  /** Kinds of records that it looks at. */
  readonly reads?: readonly Kind[]
  /** It compares starts or ends of events with the present moment. */
  readonly comparesTimes?: boolean
}

export const reads = (...kinds: readonly Kind[]): Reads => ({ reads: kinds })

export const comparesTimes: Reads = { comparesTimes: true }

export interface Read extends Dependencies {
  /** Whether the answer changes when an event starts or ends. */
  readonly comparesTimes: boolean
}

const kindOfType: Readonly<Record<string, Kind>> = {
  Event: 'event',
  Venue: 'venue',
  Organizer: 'organizer',
  Category: 'category',
  Tag: 'tag',
  Image: 'image',
  User: 'user',
}

/** Fields that lead from a record to others by what is stored with the first: a change of the link is one of it. */
const links: Readonly<Record<string, readonly string[]>> = {
  Query: ['event', 'venue', 'organizer', 'category', 'tag'],
  Event: ['author', 'image', 'venues', 'organizers', 'categories', 'tags'],
  Venue: ['author', 'image'],
  Organizer: ['author', 'image'],
  Category: ['parent'],
}

/** A field whose records are told apart by their numbers. */
interface Selected {
  readonly key: string
  readonly kind: Kind
  /** Response key of `databaseId`. */
  readonly number: string
  readonly fields: Selected[]
}

interface Plan {
  readonly operation: OperationDefinitionNode
  readonly kinds: Set<Kind>
  readonly fields: Selected[]
  /** Fields with arguments that may add to it. */
  readonly calls: { readonly field: GraphQLField<unknown, unknown>; readonly node: FieldNode }[]
  comparesTimes: boolean
}

export interface Operation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

/** Reads what the answers to queries depend on. */
export function dependencyReader(schema: GraphQLSchema) {
  const plans = new WeakMap<DocumentNode, Map<string, Plan>>()

  const planOf = ({ document, operationName }: Operation): Plan | undefined => {
    const known = plans.get(document) ?? new Map<string, Plan>()
    plans.set(document, known)
    const name = operationName ?? ''
    const plan = known.get(name) ?? makePlan(schema, document, operationName)
    if (plan) known.set(name, plan)
    return plan
  }

  return (asked: Operation, data: object): Read | undefined => {
    const plan = planOf(asked)
    if (!plan) return undefined
    const kinds = new Set(plan.kinds)
    const records = new Map<Kind, Set<number>>()
    let { comparesTimes } = plan
    const note = ({ reads = [], comparesTimes: compares = false }: Reads) => {
      for (const kind of reads) kinds.add(kind)
      comparesTimes ||= compares
    }
    if (plan.calls.length > 0) {
      const { variableValues } = getVariableValues(schema, plan.operation.variableDefinitions ?? [], asked.variables)
      for (const { field, node } of plan.calls) {
        const values = getArgumentValues(field, node, variableValues)
        for (const argument of field.args) noteInput(argument.type, values[argument.name], argument.extensions, note)
      }
    }
    for (const field of plan.fields) {
      const value = (data as Record<string, unknown>)[field.key]
      // Whichever record it would be, once there is one.
      if (value === null) kinds.add(field.kind)
      else noteRecords(value, field, kinds, records)
    }
    return { kinds, records, comparesTimes }
  }
}

function makePlan(schema: GraphQLSchema, document: DocumentNode, name?: string | null): Plan | undefined {
  const operation = getOperationAST(document, name)
  const root = schema.getQueryType()
  if (operation?.operation !== 'query' || !root) return undefined
  const fragments = new Map(
    document.definitions.flatMap((each) => (each.kind === Node.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
  )
  const plan: Plan = { operation, kinds: new Set(), fields: [], calls: [], comparesTimes: false }

  /** `into` takes the records that are told apart; without it they count as any of their kind. */
  const walk = (type: GraphQLNamedType, set: SelectionSetNode, into: Selected[] | undefined): void => {
    for (const selection of set.selections) {
      if (selection.kind === Node.FIELD) walkField(type, selection, into)
      else {
        const part = selection.kind === Node.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
        const condition = part?.typeCondition && schema.getType(part.typeCondition.name.value)
        if (part) walk(condition ?? type, part.selectionSet, into)
      }
    }
  }
  const walkField = (parent: GraphQLNamedType, node: FieldNode, into: Selected[] | undefined): void => {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined
    if (!field) return
    note(plan, field.extensions)
    if (field.args.some(({ type, extensions }) => matters(type, extensions))) plan.calls.push({ field, node })
    const type = getNamedType(field.type)
    if (!isCompositeType(type) || !node.selectionSet) return
    if (isAbstractType(type)) for (const each of schema.getPossibleTypes(type)) addKind(each.name)
    const kind = kindOfType[type.name]
    const number = kind && into && links[parent.name]?.includes(field.name) ? numberKey(node.selectionSet) : undefined
    if (number === undefined || !kind) {
      addKind(type.name)
      walk(type, node.selectionSet, undefined)
    } else {
      const selected: Selected = { key: node.alias?.value ?? field.name, kind, number, fields: [] }
      into?.push(selected)
      walk(type, node.selectionSet, selected.fields)
    }
  }
  const addKind = (name: string) => {
    const kind = kindOfType[name] ?? listed(schema.getType(name))
    if (kind) plan.kinds.add(kind)
  }
  const numberKey = (set: SelectionSetNode): string | undefined => {
    for (const selection of set.selections) {
      if (selection.kind === Node.FIELD) {
        if (selection.name.value === 'databaseId') return selection.alias?.value ?? 'databaseId'
      } else if (selection.kind === Node.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value)
        const key = fragment && numberKey(fragment.selectionSet)
        if (key !== undefined) return key
      }
    }
    return undefined
  }
  walk(root, operation.selectionSet, plan.fields)
  return plan
}

/** What a page or a connection is about: its total depends on records that nobody selected. */
function listed(type: GraphQLNamedType | undefined): Kind | undefined {
  const fields = isObjectType(type) ? type.getFields() : {}
  const items = fields.items ?? fields.nodes
  return items && kindOfType[getNamedType(items.type).name]
}

function note(plan: Plan, { reads = [], comparesTimes = false }: Reads): void {
  for (const kind of reads) plan.kinds.add(kind)
  plan.comparesTimes ||= comparesTimes
}

const says = ({ reads, comparesTimes }: Reads) => reads !== undefined || comparesTimes !== undefined

/** Whether a value of this type may add to what an answer depends on. */
function matters(type: GraphQLInputType, extensions: Reads, seen: readonly string[] = []): boolean {
  if (says(extensions)) return true
  const named = getNamedType(type)
  if (!isInputObjectType(named) || seen.includes(named.name)) return false
  return Object.values(named.getFields()).some((field) => matters(field.type, field.extensions, [...seen, named.name]))
}

function noteInput(type: GraphQLInputType, value: unknown, extensions: Reads, note: (reads: Reads) => void): void {
  if (value === undefined || value === null) return
  note(extensions)
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return
  if (Array.isArray(value)) {
    for (const item of value) noteInput(named, item, {}, note)
    return
  }
  for (const field of Object.values(named.getFields())) {
    noteInput(field.type, (value as Record<string, unknown>)[field.name], field.extensions, note)
  }
}

function noteRecords(value: unknown, selected: Selected, kinds: Set<Kind>, records: Map<Kind, Set<number>>): void {
  if (Array.isArray(value)) for (const item of value) noteRecords(item, selected, kinds, records)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const record = value as Record<string, unknown>
  const number = record[selected.number]
  if (typeof number === 'number') {
    const numbers = records.get(selected.kind) ?? new Set<number>()
    records.set(selected.kind, numbers.add(number))
  } else {
    // Left out by a directive.
    kinds.add(selected.kind)
  }
  for (const field of selected.fields) noteRecords(record[field.key], field, kinds, records)
}
