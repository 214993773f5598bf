// Determines which records a response depends on, from the operation, its variables and its result.
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
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { kinds, recordKinds } from '../content/kinds.ts'
import { memoizeByObject } from '../memoize.ts'
import type { CachedKind } from '../response-cache/changes.ts'
import type { DependencyExtensions, LinkTree, OperationDependencies } from '../response-cache/dependencies.ts'
import {
  type AnalyzedField,
  type AnalyzedOperation,
  type AnalyzedSelection,
  analyzeOperation,
  coerceVariables,
  type Variables,
} from './analyze-operation.ts'

const kindOfType: Readonly<Record<string, CachedKind>> = {
  ...Object.fromEntries(recordKinds.map((kind) => [kinds[kind].type, kind])),
  Image: 'image',
  User: 'user',
}

/**
 * Fields that link a record to others, by type. The link is stored with the record, so changing the link is a change to the
 * record, and only the IDs of the linked records matter. The fields of Query return a single record.
 */
const linkFields: Readonly<Record<string, readonly string[]>> = {
  Query: recordKinds,
  ...Object.fromEntries(recordKinds.map((kind) => [kinds[kind].type, kinds[kind].links])),
}

/** A selected field whose records are tracked by ID, because `databaseId` is selected. */
interface LinkedField {
  readonly name: string
  readonly key: string
  readonly kind: CachedKind
  /** Response key of `databaseId`. */
  readonly idKey: string
  readonly fields: ReadonlySet<LinkedField>
}

/** The dependencies of an operation that need neither variables nor result, and where to find those that do. */
interface Plan {
  readonly kinds: ReadonlySet<CachedKind>
  readonly fields: ReadonlySet<LinkedField>
  /** Fields with arguments that may add dependencies. */
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

/** Undefined unless the operation is a query whose dependencies are known. */
export function dependenciesOf(
  schema: GraphQLSchema,
  executed: ExecutedOperation,
  data: object,
): OperationDependencies | undefined {
  const operation = analyzeOperation(schema, executed)
  if (operation?.node.operation !== 'query') return undefined
  const plan = planOf(operation)
  const kinds = new Set(plan.kinds)
  const records = new Map<CachedKind, Set<number>>()
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
        // The field was skipped by a directive, and its arguments are invalid.
        return undefined
      }
    }
  }
  for (const field of plan.fields) {
    const value = (data as Record<string, unknown>)[field.key]
    // A record that is missing now may be any record later.
    if (value === null) kinds.add(field.kind)
    else noteRecords(value, field, kinds, records)
  }
  return { kinds, records, comparesTimes }
}

/** What a count of these records depends on, given the field that returns it and the arguments of the field. */
export function dependenciesOfCount(
  counted: readonly CachedKind[],
  field: GraphQLField<unknown, unknown>,
  args: Readonly<Record<string, unknown>>,
): OperationDependencies {
  const kinds = new Set(counted)
  let comparesTimes = false
  const note = ({ dependsOn: reads = [], comparesTimes: compares = false }: DependencyExtensions) => {
    for (const kind of reads) kinds.add(kind)
    comparesTimes ||= compares
  }
  note(field.extensions)
  for (const argument of field.args) noteInput(argument.type, args[argument.name], argument.extensions, note)
  return { kinds, records: new Map(), comparesTimes }
}

const planOf = memoizeByObject(({ schema, root }: AnalyzedOperation): Plan => {
  const planner = new Planner(schema)
  const fields = planner.linkedFields(root)
  const { kinds, calls, comparesTimes } = planner
  return { fields, kinds, calls, comparesTimes }
})

/** Collects the dependencies of selections. Visits each selection once, even if its fragment is spread repeatedly. */
class Planner {
  readonly kinds = new Set<CachedKind>()
  readonly calls = new Set<FieldCall>()
  comparesTimes = false
  readonly #schema: GraphQLSchema
  readonly #fieldsBySelection = new Map<AnalyzedSelection, Set<LinkedField>>()
  readonly #added = new Set<AnalyzedSelection>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  /** The fields whose records are tracked by ID. Other fields make the response depend on all records of their kind. */
  linkedFields(selection: AnalyzedSelection): ReadonlySet<LinkedField> {
    const cached = this.#fieldsBySelection.get(selection)
    if (cached) return cached
    const linked = new Set<LinkedField>()
    this.#fieldsBySelection.set(selection, linked)
    for (const part of selection.parts) {
      if (part.kind === 'fragment') {
        for (const selected of this.linkedFields(part.selection)) linked.add(selected)
        continue
      }
      this.#addField(part)
      if (!part.selection) continue
      const kind = kindOfType[part.type.name]
      const isLink = linkFields[selection.type.name]?.includes(part.definition.name)
      const idKey = isLink ? idKeyOf(part.selection) : undefined
      if (kind === undefined || idKey === undefined) this.#addAllOfType(part.selection)
      else {
        const { key, definition } = part
        linked.add({ name: definition.name, key, kind, idKey, fields: this.linkedFields(part.selection) })
      }
    }
    this.#addReadLinks(selection, linked)
    return linked
  }

  /** Adds the kinds of the links that its fields read, unless the operation selects the same links with their IDs. */
  #addReadLinks({ type, parts, isPlain }: AnalyzedSelection, linked: ReadonlySet<LinkedField>): void {
    for (const part of parts) {
      if (part.kind === 'fragment') continue
      const { readsLinks }: DependencyExtensions = part.definition.extensions
      if (readsLinks && !(isPlain && isSelected(readsLinks, linked))) this.#addKindsOfLinks(type, readsLinks)
    }
  }

  #addKindsOfLinks(type: GraphQLNamedType, links: LinkTree): void {
    for (const [name, nested] of Object.entries(links)) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined
      if (!field) throw new Error(`readsLinks of ${type.name} names an unknown field: ${name}`)
      const linkedType = getNamedType(field.type)
      this.#addKind(linkedType)
      this.#addKindsOfLinks(linkedType, nested)
    }
  }

  /** Makes the response depend on all records of each selected kind. */
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
    this.#addReadLinks(selection, noFields)
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

  /** Adds the dependencies that a field declares. */
  #addField({ node, definition: field }: AnalyzedField): void {
    const { dependsOn: reads = [], comparesTimes = false }: DependencyExtensions = field.extensions
    for (const kind of reads) this.kinds.add(kind)
    this.comparesTimes ||= comparesTimes
    if (field.args.some(({ type, extensions }) => mayAddDependencies(type, extensions))) this.calls.add({ field, node })
  }
}

const noFields: ReadonlySet<LinkedField> = new Set()

/** Whether these fields contain all links of the tree. */
const isSelected = (links: LinkTree, fields: ReadonlySet<LinkedField>): boolean =>
  Object.entries(links).every(([name, nested]) =>
    [...fields].some((field) => field.name === name && isSelected(nested, field.fields)),
  )

/** Response key of `databaseId`. */
function idKeyOf({ parts }: AnalyzedSelection): string | undefined {
  let idKey: string | undefined
  for (const part of parts) {
    if (part.kind === 'field') {
      if (part.definition.name === 'databaseId') idKey = part.key
    } else if (part.name !== undefined) idKey ??= idKeyOf(part.selection)
  }
  return idKey
}

/** The kind of record in a page or connection. Its total also depends on records that are not on the page. */
function listedKind(type: GraphQLNamedType | undefined): CachedKind | undefined {
  const fields = isObjectType(type) ? type.getFields() : {}
  const items = fields.items ?? fields.nodes
  return items && kindOfType[getNamedType(items.type).name]
}

const hasDependencies = ({ dependsOn: reads, comparesTimes }: DependencyExtensions) =>
  reads !== undefined || comparesTimes !== undefined

/** Whether an input value of this type may add dependencies. */
function mayAddDependencies(
  type: GraphQLInputType,
  extensions: DependencyExtensions,
  seen: readonly string[] = [],
): boolean {
  if (hasDependencies(extensions)) return true
  const named = getNamedType(type)
  if (isEnumType(named)) return named.getValues().some((value) => hasDependencies(value.extensions))
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
  if (isEnumType(named)) {
    for (const each of named.getValues()) if (each.value === value) note(each.extensions)
    return
  }
  if (!isInputObjectType(named)) return
  if (Array.isArray(value)) {
    for (const item of value) noteInput(named, item, {}, note)
    return
  }
  for (const field of Object.values(named.getFields())) {
    noteInput(field.type, (value as Record<string, unknown>)[field.name], field.extensions, note)
  }
}

function noteRecords(
  value: unknown,
  selected: LinkedField,
  kinds: Set<CachedKind>,
  records: Map<CachedKind, Set<number>>,
): void {
  // An entry without IDs is needed, too: publishing a hidden record invalidates all records of its kind.
  const ids = records.get(selected.kind) ?? new Set<number>()
  records.set(selected.kind, ids)
  if (Array.isArray(value)) for (const item of value) noteRecords(item, selected, kinds, records)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const record = value as Record<string, unknown>
  const id = record[selected.idKey]
  // The ID was skipped by a directive.
  if (typeof id !== 'number') kinds.add(selected.kind)
  else ids.add(id)
  for (const field of selected.fields) noteRecords(record[field.key], field, kinds, records)
}
