// What of an operation says what its answer depends on: worked out once a document.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind as Node,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { kinds, recordKinds } from '../content/kinds.ts'
import type { Kind } from './changes.ts'

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

const kindOfType: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(recordKinds.map((kind) => [kinds[kind].type, kind])),
  Image: 'image',
  User: 'user',
}

/** Fields that lead from a record to others by what is stored with the first: a change of the link is one of it. */
const links: Readonly<Record<string, readonly string[]>> = {
  Query: recordKinds,
  ...Object.fromEntries(recordKinds.map((kind) => [kinds[kind].type, kinds[kind].links])),
}

/** A field whose records are told apart by their numbers. */
export interface Selected {
  readonly key: string
  readonly kind: Kind
  /** Response key of `databaseId`. */
  readonly number: string
  readonly fields: ReadonlySet<Selected>
}

export interface Plan {
  readonly operation: OperationDefinitionNode
  readonly kinds: ReadonlySet<Kind>
  readonly fields: ReadonlySet<Selected>
  /** Fields with arguments that may add to it. */
  readonly calls: ReadonlySet<Call>
  readonly comparesTimes: boolean
}

interface Call {
  readonly field: GraphQLField<unknown, unknown>
  readonly node: FieldNode
}

/** Undefined for what is no query. */
export function readSelection(schema: GraphQLSchema, document: DocumentNode, name?: string | null): Plan | undefined {
  const operation = getOperationAST(document, name)
  const root = schema.getQueryType()
  if (operation?.operation !== 'query' || !root) return undefined
  const reading = new Reading(schema, document)
  const fields = reading.apart(root, operation.selectionSet)
  const { kinds, calls, comparesTimes } = reading
  return { operation, fields, kinds, calls, comparesTimes }
}

/** Reads each selection of a type once, however often it is spread. */
class Reading {
  readonly kinds = new Set<Kind>()
  readonly calls = new Set<Call>()
  comparesTimes = false
  readonly #schema: GraphQLSchema
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #apart = new Map<SelectionSetNode, Map<string, ReadonlySet<Selected>>>()
  readonly #together = new Map<SelectionSetNode, Set<string>>()
  readonly #numberKeys = new Map<SelectionSetNode, string | undefined>()

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema
    this.#fragments = new Map(
      document.definitions.flatMap((each) => (each.kind === Node.FRAGMENT_DEFINITION ? [[each.name.value, each]] : [])),
    )
  }

  /** The fields whose records are told apart; what else is selected counts as any of its kind. */
  apart(type: GraphQLNamedType, set: SelectionSetNode): ReadonlySet<Selected> {
    const ofSet = this.#apart.get(set) ?? new Map<string, ReadonlySet<Selected>>()
    this.#apart.set(set, ofSet)
    const known = ofSet.get(type.name)
    if (known) return known
    const found = new Set<Selected>()
    ofSet.set(type.name, found)
    this.#each(type, set, (parent, node) => {
      if (node.kind !== Node.FIELD) {
        for (const selected of this.apart(parent, node.selectionSet)) found.add(selected)
        return
      }
      const field = this.#field(parent, node)
      if (!field) return
      const kind = kindOfType[field.type.name]
      const number = links[parent.name]?.includes(node.name.value) ? this.#numberKey(field.set) : undefined
      if (kind === undefined || number === undefined) return this.#any(field)
      const key = (node.alias ?? node.name).value
      found.add({ key, kind, number, fields: this.apart(field.type, field.set) })
    })
    return found
  }

  /** Everything that is selected counts as any of its kind. */
  #loose(type: GraphQLNamedType, set: SelectionSetNode): void {
    const types = this.#together.get(set) ?? new Set<string>()
    this.#together.set(set, types)
    if (types.has(type.name)) return
    types.add(type.name)
    this.#each(type, set, (parent, node) => {
      if (node.kind !== Node.FIELD) return this.#loose(parent, node.selectionSet)
      const field = this.#field(parent, node)
      if (field) this.#any(field)
    })
  }

  #any({ type, set }: { type: GraphQLNamedType; set: SelectionSetNode }): void {
    if (isAbstractType(type)) for (const each of this.#schema.getPossibleTypes(type)) this.#addKind(each)
    this.#addKind(type)
    this.#loose(type, set)
  }

  #addKind(type: GraphQLNamedType): void {
    const kind = kindOfType[type.name] ?? listed(type)
    if (kind) this.kinds.add(kind)
  }

  /** Its fields, and its fragments with the type that they are about. */
  #each(
    type: GraphQLNamedType,
    set: SelectionSetNode,
    visit: (type: GraphQLNamedType, node: FieldNode | { kind: 'Fragment'; selectionSet: SelectionSetNode }) => void,
  ): void {
    for (const selection of set.selections) {
      if (selection.kind === Node.FIELD) {
        visit(type, selection)
        continue
      }
      const part = selection.kind === Node.INLINE_FRAGMENT ? selection : this.#fragments.get(selection.name.value)
      const condition = part?.typeCondition && this.#schema.getType(part.typeCondition.name.value)
      if (part) visit(condition ?? type, { kind: 'Fragment', selectionSet: part.selectionSet })
    }
  }

  /** Notes what a field adds; what it leads to, if that has fields of its own. */
  #field(parent: GraphQLNamedType, node: FieldNode) {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined
    if (!field) return undefined
    const { reads = [], comparesTimes = false }: Reads = field.extensions
    for (const kind of reads) this.kinds.add(kind)
    this.comparesTimes ||= comparesTimes
    if (field.args.some(({ type, extensions }) => matters(type, extensions))) this.calls.add({ field, node })
    const type = getNamedType(field.type)
    return isCompositeType(type) && node.selectionSet ? { type, set: node.selectionSet } : undefined
  }

  /** Response key of `databaseId`. */
  #numberKey(set: SelectionSetNode): string | undefined {
    if (this.#numberKeys.has(set)) return this.#numberKeys.get(set)
    this.#numberKeys.set(set, undefined)
    let found: string | undefined
    for (const selection of set.selections) {
      if (selection.kind === Node.FIELD) {
        if (selection.name.value === 'databaseId') found = (selection.alias ?? selection.name).value
      } else if (selection.kind === Node.FRAGMENT_SPREAD) {
        const fragment = this.#fragments.get(selection.name.value)
        found ??= fragment && this.#numberKey(fragment.selectionSet)
      }
    }
    this.#numberKeys.set(set, found)
    return found
  }
}

/** What a page or a connection is about: its total depends on records that nobody selected. */
function listed(type: GraphQLNamedType | undefined): Kind | undefined {
  const fields = isObjectType(type) ? type.getFields() : {}
  const items = fields.items ?? fields.nodes
  return items && kindOfType[getNamedType(items.type).name]
}

const says = ({ reads, comparesTimes }: Reads) => reads !== undefined || comparesTimes !== undefined

/** Whether a value of this type may add to what an answer depends on. */
function matters(type: GraphQLInputType, extensions: Reads, seen: readonly string[] = []): boolean {
  if (says(extensions)) return true
  const named = getNamedType(type)
  if (!isInputObjectType(named) || seen.includes(named.name)) return false
  return Object.values(named.getFields()).some((field) => matters(field.type, field.extensions, [...seen, named.name]))
}
