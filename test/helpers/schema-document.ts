// A schema as the rules of schema-rules.ts and relay-rules.ts read it.
import {
  buildASTSchema,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  type InputValueDefinitionNode,
  Kind,
  type NamedTypeNode,
  type ObjectTypeDefinitionNode,
  parse,
  type TypeNode,
} from 'graphql'

export interface Schema {
  readonly text: string
  readonly document: DocumentNode
  readonly schema: GraphQLSchema
  readonly objects: readonly ObjectTypeDefinitionNode[]
  readonly roots: readonly string[]
  /** The fields of objects and interfaces, with the names of their types. */
  readonly fields: readonly (readonly [string, FieldDefinitionNode])[]
}

/** Finds the places that break a rule, such as `Event.title`. */
export type Rule = (schema: Schema) => Iterable<string>

export const namedType = (type: TypeNode): NamedTypeNode =>
  type.kind === Kind.NAMED_TYPE ? type : namedType(type.type)
export const nullable = (type: TypeNode) => (type.kind === Kind.NON_NULL_TYPE ? type.type : type)
export const isList = (type: TypeNode) => nullable(type).kind === Kind.LIST_TYPE
export const fieldOf = (type: ObjectTypeDefinitionNode, name: string) =>
  type.fields?.find((field) => field.name.value === name)
export const namesOf = (types: readonly ObjectTypeDefinitionNode[]) => types.map(({ name }) => name.value)

/** The name of each node that defines something, with the place where it stands. */
export function* definitions({
  document,
}: Schema): Generator<{ place: string; name: string; kind: Kind; parent: string }> {
  for (const definition of document.definitions) {
    if (!('name' in definition) || !definition.name) continue
    const parent = definition.name.value
    const at = definition.kind === Kind.DIRECTIVE_DEFINITION ? `@${parent}` : parent
    yield { place: at, name: parent, kind: definition.kind, parent: '' }
    const parts: { kind: Kind; name: { value: string }; arguments?: readonly InputValueDefinitionNode[] }[] = []
    if ('fields' in definition) parts.push(...(definition.fields ?? []))
    if ('values' in definition) parts.push(...(definition.values ?? []))
    for (const { name, kind, arguments: args = [] } of parts) {
      const place = `${at}.${name.value}`
      yield { place, name: name.value, kind, parent }
      for (const arg of args)
        yield { place: `${place}(${arg.name.value}:)`, name: arg.name.value, kind: arg.kind, parent }
    }
    if (definition.kind !== Kind.DIRECTIVE_DEFINITION) continue
    for (const arg of definition.arguments ?? [])
      yield { place: `${at}(${arg.name.value}:)`, name: arg.name.value, kind: arg.kind, parent }
  }
}

/** The schema in a text; fails if it is not a valid schema. */
export function readSchema(text: string): Schema {
  const document = parse(text)
  const schema = buildASTSchema(document)
  const objects = document.definitions.filter((node) => node.kind === Kind.OBJECT_TYPE_DEFINITION)
  const fields = document.definitions.flatMap((node) =>
    node.kind === Kind.OBJECT_TYPE_DEFINITION || node.kind === Kind.INTERFACE_TYPE_DEFINITION
      ? (node.fields ?? []).map((field) => [node.name.value, field] as const)
      : [],
  )
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    type ? [type.name] : [],
  )
  return { text, document, schema, objects, fields, roots }
}
