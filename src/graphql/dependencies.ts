// What the answer to an operation depends on: read off the operation, its variables and its result.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { kinds, recordKinds } from '../content/kinds.ts'
import { memoizeByObject } from '../memoize.ts'
import type { Kind } from '../response-cache/changes.ts'
import type { DependencyExtensions, OperationDependencies } from '../response-cache/dependencies.ts'
import {
  type AnalyzedField,
  type AnalyzedOperation,
  type AnalyzedSelection,
  analyzeOperation,
  coerceVariables,
  type Variables,
} from './analyze-operation.ts'

const kindOfType: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(recordKinds.map((kind) => [kinds[kind].type, kind])),
  Image: 'image',
  User: 'user',
}

/** Fields that lead from a record to others by what is stored with the first: a change of the link is one of it. */
const linkFields: Readonly<Record<string, readonly string[]>> = {
  Query: recordKinds,
  ...Object.fromEntries(recordKinds.map((kind) => [kinds[kind].type, kinds[kind].links])),
}

/** A field whose records are told apart by their numbers. */
interface LinkedField {
  readonly key: string
  readonly kind: Kind
  /** Response key of `databaseId`. */
  readonly idKey: string
  readonly fields: ReadonlySet<LinkedField>
}

/** What an answer depends on whatever the variables and the result are, and where to look in those. */
interface Plan {
  readonly kinds: ReadonlySet<Kind>
  readonly fields: ReadonlySet<LinkedField>
  /** Fields with arguments that may add to it. */
  readonly calls: ReadonlySet<FieldCall>
  readonly comparesTimes: boolean
}

interface FieldCall {
  readonly field: GraphQLField<unknown, unknown>
  readonly node: FieldNode
}

interface ExecutedOperation {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Variables | null | undefined
}

/** Undefined for what is no query, and for one whose dependencies are unknown. */
export function dependenciesOf(
  schema: GraphQLSchema,
  executed: ExecutedOperation,
  data: object,
): OperationDependencies | undefined {
  const operation = analyzeOperation(schema, executed)
  if (operation?.node.operation !== 'query') return undefined
  const plan = planOf(operation)
  const kinds = new Set(plan.kinds)
  const records = new Map<Kind, Set<number>>()
  let { comparesTimes } = plan
  const note = ({ dependsOn: reads = [], comparesTimes: compares = false }: DependencyExtensions) => {
    for (const kind of reads) kinds.add(kind)
    comparesTimes ||= compares
  }
  if (plan.calls.size > 0) {
    const { variableValues } = coerceVariables(operation, executed.variableValues)
    for (const { field, node } of plan.calls) {
      try {
        const values = getArgumentValues(field, node, variableValues)
        for (const argument of field.args) noteInput(argument.type, values[argument.name], argument.extensions, note)
      } catch {
        // Of a field that was left out.
        return undefined
      }
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

const planOf = memoizeByObject(({ schema, root }: AnalyzedOperation): Plan => {
  const planner = new Planner(schema)
  const fields = planner.linkedFields(root)
  const { kinds, calls, comparesTimes } = planner
  return { fields, kinds, calls, comparesTimes }
})

/** Reads each selection once, however often it is spread. */
class Planner {
  readonly kinds = new Set<Kind>()
  readonly calls = new Set<FieldCall>()
  comparesTimes = false
  readonly #schema: GraphQLSchema
  readonly #fieldsBySelection = new Map<AnalyzedSelection, Set<LinkedField>>()
  readonly #added = new Set<AnalyzedSelection>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  /** The fields whose records are told apart; what else is selected counts as any of its kind. */
  linkedFields(selection: AnalyzedSelection): ReadonlySet<LinkedField> {
    const known = this.#fieldsBySelection.get(selection)
    if (known) return known
    const found = new Set<LinkedField>()
    this.#fieldsBySelection.set(selection, found)
    for (const part of selection.parts) {
      if (part.kind === 'fragment') {
        for (const selected of this.linkedFields(part.selection)) found.add(selected)
        continue
      }
      this.#addField(part)
      if (!part.selection) continue
      const kind = kindOfType[part.type.name]
      const isLink = linkFields[selection.type.name]?.includes(part.definition.name)
      const number = isLink ? idKeyOf(part.selection) : undefined
      if (kind === undefined || number === undefined) this.#addAllOfType(part.selection)
      else found.add({ key: part.key, kind, idKey: number, fields: this.linkedFields(part.selection) })
    }
    return found
  }

  /** Everything that is selected counts as any of its kind. */
  #addSelection(selection: AnalyzedSelection): void {
    if (this.#added.has(selection)) return
    this.#added.add(selection)
    for (const part of selection.parts) {
      if (part.kind === 'fragment') {
        this.#addSelection(part.selection)
        continue
      }
      this.#addField(part)
      if (part.selection) this.#addAllOfType(part.selection)
    }
  }

  #addAllOfType(selection: AnalyzedSelection): void {
    const { type } = selection
    if (isAbstractType(type)) for (const each of this.#schema.getPossibleTypes(type)) this.#addKind(each)
    this.#addKind(type)
    this.#addSelection(selection)
  }

  #addKind(type: GraphQLNamedType): void {
    const kind = kindOfType[type.name] ?? listedKind(type)
    if (kind) this.kinds.add(kind)
  }

  /** Notes what a field adds. */
  #addField({ node, definition: field }: AnalyzedField): void {
    const { dependsOn: reads = [], comparesTimes = false }: DependencyExtensions = field.extensions
    for (const kind of reads) this.kinds.add(kind)
    this.comparesTimes ||= comparesTimes
    if (field.args.some(({ type, extensions }) => mayAddDependencies(type, extensions))) this.calls.add({ field, node })
  }
}

/** Response key of `databaseId`. */
function idKeyOf({ parts }: AnalyzedSelection): string | undefined {
  let found: string | undefined
  for (const part of parts) {
    if (part.kind === 'field') {
      if (part.definition.name === 'databaseId') found = part.key
    } else if (part.name !== undefined) found ??= idKeyOf(part.selection)
  }
  return found
}

/** What a page or a connection is about: its total depends on records that nobody selected. */
function listedKind(type: GraphQLNamedType | undefined): Kind | undefined {
  const fields = isObjectType(type) ? type.getFields() : {}
  const items = fields.items ?? fields.nodes
  return items && kindOfType[getNamedType(items.type).name]
}

const hasDependencies = ({ dependsOn: reads, comparesTimes }: DependencyExtensions) =>
  reads !== undefined || comparesTimes !== undefined

/** Whether a value of this type may add to what an answer depends on. */
function mayAddDependencies(
  type: GraphQLInputType,
  extensions: DependencyExtensions,
  seen: readonly string[] = [],
): boolean {
  if (hasDependencies(extensions)) return true
  const named = getNamedType(type)
  if (!isInputObjectType(named) || seen.includes(named.name)) return false
  return Object.values(named.getFields()).some((field) =>
    mayAddDependencies(field.type, field.extensions, [...seen, named.name]),
  )
}

function noteInput(
  type: GraphQLInputType,
  value: unknown,
  extensions: DependencyExtensions,
  note: (reads: DependencyExtensions) => void,
): void {
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

function noteRecords(value: unknown, selected: LinkedField, kinds: Set<Kind>, records: Map<Kind, Set<number>>): void {
  // Where there is none, one that is hidden may be shown: then all of its kind count as changed.
  const numbers = records.get(selected.kind) ?? new Set<number>()
  records.set(selected.kind, numbers)
  if (Array.isArray(value)) for (const item of value) noteRecords(item, selected, kinds, records)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const record = value as Record<string, unknown>
  const number = record[selected.idKey]
  // Left out by a directive.
  if (typeof number !== 'number') kinds.add(selected.kind)
  else numbers.add(number)
  for (const field of selected.fields) noteRecords(record[field.key], field, kinds, records)
}
