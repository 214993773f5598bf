// The rules of the configurations `schema-recommended` and `schema-relay` of graphql-eslint 4.4 with their default
// options. The tool itself needs graphql 16, this service graphql 17.
import { getNamedType, isInterfaceType, Kind, Lexer, Source, TokenKind, visit } from 'graphql'
import { relayRules } from './relay-rules.ts'
import { definitions, fieldOf, type Rule, readSchema, type Schema } from './schema-document.ts'

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

  ...relayRules,
}

/** All places of a schema that break a rule, by the name of the rule. */
export function breaches(text: string): Readonly<Record<string, readonly string[]>> {
  const schema = readSchema(text)
  return Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, [...rule(schema)]]))
}
