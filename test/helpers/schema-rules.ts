// The rules of the configurations `schema-recommended` and `schema-relay` of graphql-eslint 4.4 with their default
// options. The tool itself needs graphql 16, this service graphql 17.
import {
  buildASTSchema,
  type DocumentNode,
  type FieldDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  type InputValueDefinitionNode,
  isInterfaceType,
  isObjectType,
  isScalarType,
  Kind,
  Lexer,
  type NamedTypeNode,
  type ObjectTypeDefinitionNode,
  parse,
  Source,
  TokenKind,
  type TypeNode,
  visit,
} from 'graphql'

interface Schema {
  readonly text: string
  readonly document: DocumentNode
  readonly schema: GraphQLSchema
  readonly objects: readonly ObjectTypeDefinitionNode[]
  readonly roots: readonly string[]
  /** The fields of objects and interfaces, with the names of their types. */
  readonly fields: readonly (readonly [string, FieldDefinitionNode])[]
}

/** Finds the places that break a rule, such as `Event.title`. */
type Rule = (schema: Schema) => Iterable<string>

const namedType = (type: TypeNode): NamedTypeNode => (type.kind === Kind.NAMED_TYPE ? type : namedType(type.type))
const nullable = (type: TypeNode) => (type.kind === Kind.NON_NULL_TYPE ? type.type : type)
const isList = (type: TypeNode) => nullable(type).kind === Kind.LIST_TYPE
const fieldOf = (type: ObjectTypeDefinitionNode, name: string) =>
  type.fields?.find((field) => field.name.value === name)
const namesOf = (types: readonly ObjectTypeDefinitionNode[]) => types.map(({ name }) => name.value)

/** The name of each node that defines something, with the place where it stands. */
function* definitions({ document }: Schema): Generator<{ place: string; name: string; kind: Kind; parent: string }> {
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

const camelCase = /^[a-z][\dA-Za-z]*$/
const pascalCase = /^[A-Z][\dA-Za-z]*$/
const upperCase = /^[A-Z][\dA-Z_]*$/
const styles: Readonly<Partial<Record<Kind, RegExp>>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: pascalCase,
  [Kind.INTERFACE_TYPE_DEFINITION]: pascalCase,
  [Kind.UNION_TYPE_DEFINITION]: pascalCase,
  [Kind.ENUM_TYPE_DEFINITION]: pascalCase,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: pascalCase,
  [Kind.SCALAR_TYPE_DEFINITION]: pascalCase,
  [Kind.FIELD_DEFINITION]: camelCase,
  [Kind.INPUT_VALUE_DEFINITION]: camelCase,
  [Kind.DIRECTIVE_DEFINITION]: camelCase,
  [Kind.ENUM_VALUE_DEFINITION]: upperCase,
}
const forbidden: Readonly<Record<string, RegExp>> = {
  'FieldDefinition Query': /^(query|get)|Query$/,
  'FieldDefinition Mutation': /^mutation|Mutation$/,
  'FieldDefinition Subscription': /^subscription|Subscription$/,
  'EnumTypeDefinition ': /^Enum|Enum$/,
  'InterfaceTypeDefinition ': /^Interface|Interface$/,
  'UnionTypeDefinition ': /^Union|Union$/,
  'ObjectTypeDefinition ': /^Type|Type$/,
}

const typesWithDescription: ReadonlySet<Kind> = new Set(
  (Object.keys(styles) as Kind[]).filter((kind) => styles[kind] === pascalCase).concat(Kind.DIRECTIVE_DEFINITION),
)

/** Types that an operation can reach. An interface reaches the types that implement it. */
function reachable({ document, schema, roots }: Schema): ReadonlySet<string> {
  const found = new Set<string>()
  const byName = new Map(document.definitions.map((node) => ['name' in node && node.name ? node.name.value : '', node]))
  const add = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    const type = schema.getType(name)
    if (isInterfaceType(type)) for (const object of schema.getPossibleTypes(type)) add(object.name)
    const definition = byName.get(name)
    if (!definition) return
    visit(definition, { NamedType: (node) => add(node.name.value), Directive: (node) => add(node.name.value) })
  }
  for (const root of roots) add(root)
  for (const directive of schema.getDirectives()) {
    if (
      !directive.locations.some((location) =>
        /^(QUERY|MUTATION|SUBSCRIPTION|FIELD|FRAGMENT_.*|INLINE_FRAGMENT)$/.test(location),
      )
    )
      continue
    found.add(directive.name)
    for (const { type } of directive.args) add(getNamedType(type).name)
  }
  return found
}

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

/** By the names of graphql-eslint, without the rules that `buildSchema` holds. */
export const rules: Readonly<Record<string, Rule>> = {
  *'description-style'({ document }) {
    const inline: string[] = []
    visit(document, {
      enter(node) {
        if ('description' in node && node.description?.block === false) inline.push(node.description.value)
      },
    })
    yield* inline
  },

  *'naming-convention'(schema) {
    for (const { place, name, kind, parent } of definitions(schema)) {
      const isRoot = schema.roots.includes(parent)
      const wrong = forbidden[`${kind} ${isRoot ? parent : kind === Kind.FIELD_DEFINITION ? 'other' : ''}`]
      if (/^_|_$/.test(name) || wrong?.test(name) || styles[kind]?.test(name) === false) yield place
    }
  },

  *'no-hashtag-description'({ text }) {
    const lexer = new Lexer(new Source(text))
    let token = lexer.advance()
    for (; token.kind !== TokenKind.EOF; token = lexer.advance()) {
      for (let comment = token.prev; comment?.kind === TokenKind.COMMENT; comment = comment.prev)
        yield comment.value.trim()
    }
  },

  *'no-typename-prefix'({ fields }) {
    for (const [type, { name }] of fields)
      if (name.value.toLowerCase().startsWith(type.toLowerCase())) yield `${type}.${name.value}`
  },

  *'no-unreachable-types'(schema) {
    const found = reachable(schema)
    for (const { place, name, parent, kind } of definitions(schema))
      if (parent === '' && kind !== Kind.INPUT_VALUE_DEFINITION && !found.has(name)) yield place
  },

  *'require-deprecation-reason'({ document }) {
    const bare: string[] = []
    visit(document, {
      enter(node) {
        if (!('directives' in node) || !('name' in node)) return
        for (const { name, arguments: args = [] } of node.directives ?? []) {
          const reason = args.find((arg) => arg.name.value === 'reason')?.value
          const isEmpty = reason?.kind !== Kind.STRING || reason.value.trim() === ''
          if (name.value === 'deprecated' && isEmpty) bare.push(node.name?.value ?? '')
        }
      },
    })
    yield* bare
  },

  *'require-description'({ document, fields, roots }) {
    for (const node of document.definitions) {
      if (!typesWithDescription.has(node.kind) || !('description' in node) || !('name' in node)) continue
      if (!node.description?.value.trim()) yield node.name?.value ?? ''
    }
    for (const [type, { name, description }] of fields)
      if (roots.includes(type) && !description?.value.trim()) yield `${type}.${name.value}`
  },

  *'strict-id-in-types'({ objects, roots }) {
    for (const type of objects) {
      const id = fieldOf(type, 'id')?.type
      const isId = id?.kind === Kind.NON_NULL_TYPE && id.type.kind === Kind.NAMED_TYPE && id.type.name.value === 'ID'
      if (!isId && !roots.includes(type.name.value)) yield type.name.value
    }
  },

  *'unique-enum-value-names'({ document }) {
    for (const type of document.definitions) {
      if (type.kind !== Kind.ENUM_TYPE_DEFINITION) continue
      const names = type.values?.map(({ name }) => name.value.toLowerCase()) ?? []
      for (const { name } of (type.values ?? []).filter((_, index) => names.indexOf(names[index] ?? '') !== index))
        yield `${type.name.value}.${name.value}`
    }
  },

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

/** All places of a schema that break a rule, by the name of the rule. */
export function breaches(text: string): Readonly<Record<string, readonly string[]>> {
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
  const input = { text, document, schema, objects, fields, roots }
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, [...rule(input)]]))
}
