// Determines what the responses of an operation depend on, as far as that needs neither variables nor results.
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
} from 'graphql'
import { memoizeByObject } from '../../basics/memoize.ts'
import type { CachedKind } from '../../engine/cache/changes.ts'
import type { DependencyExtensions, LinkTree } from '../../engine/cache/dependencies.ts'
import type { AnalyzedField, AnalyzedOperation, AnalyzedSelection } from '../../engine/execution/analyze-operation.ts'
import { kinds, recordKinds } from '../../kinds.ts'
import { DeclaredDependencies, mayAddDependencies } from './declared-dependencies.ts'

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
export interface LinkedField {
  readonly name: string
  readonly key: string
  readonly kind: CachedKind
  /** Response key of `databaseId`. */
  readonly idKey: string
  readonly fields: ReadonlySet<LinkedField>
}

/** The dependencies of an operation that need neither variables nor result, and where to find those that do. */
interface DependencyPlan {
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

export const planOf = memoizeByObject(({ schema, root }: AnalyzedOperation): DependencyPlan => {
  const planner = new Planner(schema)
  const fields = planner.linkedFields(root)
  const { declared, calls } = planner
  return { fields, calls, kinds: declared.kinds, comparesTimes: declared.comparesTimes }
})

/** Collects the dependencies of selections. Visits each selection once, even if its fragment is spread repeatedly. */
class Planner {
  readonly declared = new DeclaredDependencies()
  readonly calls = new Set<FieldCall>()
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
    if (isAbstractType(type)) {
      for (const each of this.#schema.getPossibleTypes(type)) this.#addKindsOfLinks(each, links)
      return
    }
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
    if (kind) this.declared.kinds.add(kind)
  }

  /** Adds the dependencies that a field declares. */
  #addField({ node, definition: field }: AnalyzedField): void {
    this.declared.add(field.extensions)
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
