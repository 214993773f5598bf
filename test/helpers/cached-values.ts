// Values for the arguments of the schema and the parameters of the REST routes, by their types and by a table of names.
import fc from 'fast-check'
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql'

/** Values by coordinate: `Query.events(after:)` or only `(after:)`, `EventFilter.search`, or the name of a type. */
export type Values = Readonly<Record<string, fc.Arbitrary<unknown>>>

/** A path of argument and input field names, such as `filter`, `near`, `radius`. */
export type Path = readonly string[]

interface Input {
  readonly name: string
  readonly type: GraphQLInputType
}

/** Every argument, and every field of the input objects among them. Of filters within filters, only the filter itself. */
export function pathsOf(inputs: readonly Input[], enclosing: readonly string[] = []): Path[] {
  return inputs.flatMap(({ name, type }) => {
    const named = getNamedType(type)
    const isFilter = named.name.endsWith('Filter')
    const isNew = isInputObjectType(named) && !(isFilter && enclosing.some((name) => name.endsWith('Filter')))
    const below = isNew ? pathsOf(Object.values(named.getFields()), [...enclosing, named.name]) : []
    return [[name], ...below.map((path) => [name, ...path])]
  })
}

/** The coordinate `Type.field` of the end of a path. */
export function placeOf(inputs: readonly Input[], owner: string, [name, ...rest]: Path): string {
  const input = inputs.find((each) => each.name === name)
  const named = input && getNamedType(input.type)
  if (rest.length === 0 || !isInputObjectType(named)) return `${owner}.${name}`
  return placeOf(Object.values(named.getFields()), named.name, rest)
}

export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, name) => {
    const one = Array.isArray(part) ? part[0] : part
    return typeof one === 'object' && one !== null ? (one as Record<string, unknown>)[name] : undefined
  }, value)

/** Creates arbitraries for a type. Throws if neither the table nor the type determines the values. */
export function drawing(table: Values) {
  const value = (type: GraphQLInputType, places: readonly string[], forced: Path = []): fc.Arbitrary<unknown> => {
    const values = holding(places.flatMap((place) => table[place] ?? [])[0], forced)
    if (values) return values
    if (isNonNullType(type)) return value(type.ofType, places, forced)
    if (isListType(type)) return fc.array(value(type.ofType, places, forced), { minLength: 1, maxLength: 3 })
    if (isInputObjectType(type)) return object(type, forced)
    if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name))
    if (type.name === 'Boolean') return fc.boolean()
    throw new Error(`There are no values for ${places[0]}. Add some to the table of values.`)
  }

  /** An input object with its required fields and the field at the path `forced`. */
  const object = (type: GraphQLInputObjectType, [name, ...rest]: Path = []): fc.Arbitrary<unknown> => {
    const values = holding(table[type.name], name === undefined ? [] : [name, ...rest])
    if (values) return values
    const fields = Object.values(type.getFields())
    const field = (each: (typeof fields)[number]) =>
      value(each.type, [`${type.name}.${each.name}`, each.name], each.name === name ? rest : [])
    if (type.isOneOf) {
      const choices = name === undefined ? fields : fields.filter((each) => each.name === name)
      return fc.oneof(...choices.map((each) => fc.record({ [each.name]: field(each) })))
    }
    const drawnFields = fields.filter((each) => each.name === name || isRequiredInputField(each))
    return fc.record(Object.fromEntries(drawnFields.map((each) => [each.name, field(each)])))
  }
  return { value, object }
}

/** Values of the table that contain the path; undefined if a hundred samples have none. */
function holding(values: fc.Arbitrary<unknown> | undefined, path: Path): fc.Arbitrary<unknown> | undefined {
  if (path.length === 0 || values === undefined) return values
  const holds = (value: unknown) => valueAt(value, path) !== undefined
  return fc.sample(values, { numRuns: 100, seed: 1 }).some(holds) ? values.filter(holds) : undefined
}

/** The value as a GraphQL literal. */
export function literal(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(value, type.ofType)
  if (value === null) return 'null'
  if (isListType(type)) {
    return Array.isArray(value)
      ? `[${value.map((item) => literal(item, type.ofType)).join(', ')}]`
      : literal(value, type.ofType)
  }
  if (isEnumType(type)) return String(value)
  if (!isInputObjectType(type)) return JSON.stringify(value)
  const fields = type.getFields()
  const parts = Object.entries(value as object).flatMap(([name, part]) => {
    const field = fields[name]
    return field && part !== undefined ? [`${name}: ${literal(part, field.type)}`] : []
  })
  return `{ ${parts.join(', ')} }`
}
