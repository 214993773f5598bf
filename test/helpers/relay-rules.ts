// The rules of graphql-eslint's configuration `schema-relay`, with their default options.
import { isObjectType, isScalarType, Kind, type ObjectTypeDefinitionNode, type TypeNode } from 'graphql'
import {
  definitions,
  fieldOf,
  isList,
  namedType,
  namesOf,
  nullable,
  type Rule,
  type Schema,
} from './schema-document.ts'

const connections = ({ objects }: Schema) => objects.filter(({ name }) => name.value.endsWith('Connection'))

/** The types that `edges` of a connection contains. */
function edgeTypes(schema: Schema): readonly ObjectTypeDefinitionNode[] {
  const names = connections(schema).flatMap((type) => {
    const edges = fieldOf(type, 'edges')
    return edges ? [namedType(edges.type).name.value] : []
  })
  return schema.objects.filter(({ name }) => names.includes(name.value))
}

/** Whether a field or argument has the type, or a scalar where `String` is meant. */
function hasType({ schema }: Schema, type: TypeNode | undefined, expected: 'Int' | 'String' | 'Boolean'): boolean {
  if (type?.kind !== Kind.NAMED_TYPE) return false
  return type.name.value === expected || (expected === 'String' && isScalarType(schema.getType(type.name.value)))
}

/** By the names of graphql-eslint. */
export const relayRules: Readonly<Record<string, Rule>> = {
  *'relay-arguments'(schema) {
    for (const [type, field] of schema.fields) {
      if (!namedType(field.type).name.value.endsWith('Connection')) continue
      const place = `${type}.${field.name.value}`
      for (const [name, expected] of [
        ['first', 'Int'],
        ['after', 'String'],
        ['last', 'Int'],
        ['before', 'String'],
      ] as const) {
        const arg = field.arguments?.find((argument) => argument.name.value === name)
        if (!hasType(schema, arg && nullable(arg.type), expected)) yield `${place}(${name}:)`
      }
    }
  },

  *'relay-connection-types'(schema) {
    for (const { name, kind } of definitions(schema))
      if (name.endsWith('Connection') && kind.endsWith('TypeDefinition') && kind !== Kind.OBJECT_TYPE_DEFINITION)
        yield name
    for (const type of schema.objects) {
      const name = type.name.value
      const [edges, pageInfo] = [fieldOf(type, 'edges'), fieldOf(type, 'pageInfo')]
      if (!name.endsWith('Connection')) {
        if (edges && pageInfo) yield name
        continue
      }
      if (!edges || !isList(edges.type)) yield `${name}.edges`
      const info = pageInfo?.type
      if (
        info?.kind !== Kind.NON_NULL_TYPE ||
        info.type.kind !== Kind.NAMED_TYPE ||
        info.type.name.value !== 'PageInfo'
      )
        yield `${name}.pageInfo`
    }
  },

  *'relay-edge-types'(schema) {
    const edges = edgeTypes(schema)
    for (const type of connections(schema)) {
      const field = fieldOf(type, 'edges')
      if (field && !isObjectType(schema.schema.getType(namedType(field.type).name.value)))
        yield `${type.name.value}.edges`
    }
    for (const type of edges) {
      const name = type.name.value
      if (!name.endsWith('Edge')) yield name
      const [node, cursor] = [fieldOf(type, 'node'), fieldOf(type, 'cursor')]
      const nodeType = node && schema.schema.getType(namedType(node.type).name.value)
      const isNode = !isObjectType(nodeType) || nodeType.getInterfaces().some((other) => other.name === 'Node')
      if (!node || isList(node.type) || !isNode) yield `${name}.node`
      if (!hasType(schema, cursor && nullable(cursor.type), 'String')) yield `${name}.cursor`
    }
    const wrapped = namesOf(edges)
    for (const [type, field] of schema.fields)
      if (isList(field.type) && !wrapped.includes(namedType(field.type).name.value)) yield `${type}.${field.name.value}`
  },

  *'relay-page-info'(schema) {
    const type = schema.objects.find(({ name }) => name.value === 'PageInfo')
    if (!type) return yield 'PageInfo'
    for (const name of ['hasPreviousPage', 'hasNextPage']) {
      const boolean = fieldOf(type, name)?.type
      if (boolean?.kind !== Kind.NON_NULL_TYPE || !hasType(schema, boolean.type, 'Boolean')) yield `PageInfo.${name}`
    }
    for (const name of ['startCursor', 'endCursor'])
      if (!hasType(schema, fieldOf(type, name)?.type, 'String')) yield `PageInfo.${name}`
  },
}
