// Random valid query documents over the schema, with arguments that find records.
import fc from 'fast-check'
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { Draw } from './cached-stage.ts'
import { drawing, literal, type Values } from './cached-values.ts'

export interface RandomDocument {
  readonly query: string
  readonly variables: Readonly<Record<string, boolean>>
}

/** Fields that change with the clock of the process or count what readers do. */
const unstable = new Set(['lastUsedAt'])

const roots = (schema: GraphQLSchema) => Object.values(schema.getQueryType()?.getFields() ?? {})

/** A document of one to three root fields, with aliases, fragments, and directives with literals and variables. */
export function randomDocument(schema: GraphQLSchema, values: Values, draw: Draw): RandomDocument {
  const { value } = drawing(values)
  const fragments: string[] = []
  const chance = (percent: number) => draw(fc.integer({ min: 0, max: 99 })) < percent
  const oneOf = <Item>(items: readonly Item[]) => draw(fc.constantFrom(...items))

  const callOf = (field: GraphQLField<unknown, unknown>, owner: string) => {
    const identities = field.args.filter(({ name }) => name === 'id' || name === 'slug')
    const others = field.args.filter((arg) => !identities.includes(arg) && (isRequiredArgument(arg) || chance(25)))
    const args = [...(identities.length > 0 ? [oneOf(identities)] : []), ...others]
    const pairs = args.map((arg) => {
      const owners = [`${owner}.${field.name}`, getNamedType(field.type).name, '']
      const drawn = draw(value(arg.type, [...owners.map((place) => `${place}(${arg.name}:)`), arg.name]))
      return `${arg.name}: ${literal(drawn, arg.type)}`
    })
    return pairs.length > 0 ? `${field.name}(${pairs.join(', ')})` : field.name
  }

  const directive = () => {
    if (!chance(8)) return ''
    const condition = oneOf(['true', 'false', '$yes', '$no'])
    return ` @${oneOf(['include', 'skip'])}(if: ${condition})`
  }

  /** A field; its alias is one that no other selection of another call has. */
  const fieldText = (owner: string, field: GraphQLField<unknown, unknown>, depth: number): string => {
    const type = getNamedType(field.type)
    const call = callOf(field, owner)
    const isRenamed = call !== field.name || chance(10)
    aliases += isRenamed ? 1 : 0
    const name = isRenamed ? `a${aliases}: ${call}` : call
    const below = isCompositeType(type) ? ` ${selectionOf(type, depth - 1)}` : ''
    return `${name}${directive()}${below}`
  }

  const fieldsOf = (type: GraphQLCompositeType, depth: number): string[] => {
    if (!('getFields' in type)) return ['__typename']
    const fields = Object.values(type.getFields()).filter(
      ({ name, type: of }) => !unstable.has(name) && (depth > 0 || !isCompositeType(getNamedType(of))),
    )
    const count = Math.min(fields.length, draw(fc.integer({ min: 1, max: 7 })))
    const chosen = draw(fc.shuffledSubarray(fields, { minLength: count, maxLength: count }))
    return [...(chance(15) ? ['__typename'] : []), ...chosen.map((field) => fieldText(type.name, field, depth))]
  }

  const fragmentOn = (type: GraphQLCompositeType, depth: number): string => {
    const body = selectionOf(type, depth)
    if (chance(50)) return `... on ${type.name}${directive()} ${body}`
    fragments.push(`fragment F${fragments.length} on ${type.name} ${body}`)
    return `...F${fragments.length - 1}${directive()}`
  }

  const selectionOf = (type: GraphQLCompositeType, depth: number): string => {
    const parts = fieldsOf(type, depth)
    if (isAbstractType(type)) {
      const possible = schema.getPossibleTypes(type)
      for (const each of draw(fc.shuffledSubarray([...possible], { minLength: 1, maxLength: 2 })))
        parts.push(fragmentOn(each, depth))
    } else if (isObjectType(type) && depth > 0 && chance(20)) {
      const [other] = type.getInterfaces()
      parts.push(fragmentOn(other && chance(50) ? other : type, depth - 1))
    }
    return `{ ${parts.join(' ')} }`
  }

  let aliases = 0
  const chosen = draw(fc.shuffledSubarray(roots(schema), { minLength: 1, maxLength: 3 }))
  const body = chosen.map((field) => fieldText('Query', field, draw(fc.integer({ min: 1, max: 4 })))).join(' ')
  const context = oneOf(['', '', '', ' @inContext(language: FR)', ' @inContext(password: "sesame")'])
  const usesVariables = [body, ...fragments].some((text) => /\$(yes|no)/.test(text))
  const declared = usesVariables ? '($yes: Boolean! = true, $no: Boolean! = false)' : ''
  const variables: Record<string, boolean> = usesVariables && chance(50) ? { yes: chance(50), no: chance(50) } : {}
  return { query: [`query${declared}${context} { ${body} }`, ...fragments].join('\n'), variables }
}
