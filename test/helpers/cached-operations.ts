// Reads for every argument and every field of the schema that a visitor can reach.
import fc from 'fast-check'
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { NamedRequest } from './cached-compare.ts'
import { type Content, pluralOf, queryValues, recordKinds } from './cached-content.ts'
import { drawing, literal, type Path, pathsOf, valueAt } from './cached-values.ts'
import { nobody } from './oracle-draw.ts'

type Args = Readonly<Record<string, unknown>>

/** A field with arguments, and its position in a query. */
interface Stand {
  readonly name: string
  readonly field: GraphQLField<unknown, unknown>
  around(call: string): string
}

/** An argument, a field of an input object, or an enum value. */
export interface Coordinate {
  readonly name: string
  /** Whether it is part of a filter or an order that a list of all records has, too. */
  readonly isRepeated?: boolean
  /** A request that contains it. */
  readonly request: fc.Arbitrary<NamedRequest>
  /** Requests that differ only in it. */
  readonly variants: fc.Arbitrary<readonly NamedRequest[]>
}

const directive = 'inContext'
/** Fields for signed-in users, whose responses are never cached. */
const ofUsers = new Set([
  'auditLog',
  'duplicates',
  'previewSchedule',
  'proposal',
  'proposals',
  'revisions',
  'translationTaskCounts',
  'translationTasks',
  'user',
  'users',
  'usersPage',
  'viewer',
  'webhooks',
  'webhooksPage',
])

/** Whether the path is part of a filter or an order that a list of all records has, too. */
const isRepeated = ({ name }: Stand, [argument = '']: Path) =>
  !name.startsWith('Query.') && ['filter', 'orderBy'].includes(argument)

/** Those of these paths that are tried. */
const repeatedPaths = new Set([
  'filter.when',
  'filter.search',
  'filter.venues',
  'filter.translatedInto',
  'orderBy.field',
])

const isFilterInFilter = (path: Path) => ['not', 'any'].includes(path.at(-1) ?? '')

const typesOfRecords = ['Event', 'Venue', 'Organizer', 'Category', 'Tag'] as const
const roots = ['', '', '/fr', '/es']

/** Minimal selection of a record. */
const label = (type: GraphQLObjectType) => (type.getFields().title ? 'databaseId title' : 'databaseId name')

export function graphqlRequests(schema: GraphQLSchema, content: Content) {
  const { value, object } = drawing(queryValues(content))
  const typeOf = (name: string) => schema.getType(name) as GraphQLObjectType

  const brief = (type: GraphQLNamedType): string => {
    if (!isCompositeType(type)) return ''
    if (!isObjectType(type)) return '{ __typename id }'
    if (type.name === 'EventFacets') {
      const linked = ['category', 'tag', 'venue', 'organizer'].map((name) => {
        const list = name === 'category' ? 'categories' : `${name}s`
        return `${list}(first: 3) { ${name} { databaseId name } count }`
      })
      return `{ totalCount ${linked.join(' ')} cities { city count } months { month count } languages { language count } prices { price count } }`
    }
    if (type.name === 'EventCalendar') return '{ totalCount days { totalCount events { databaseId title } } }'
    const { items, nodes, totalCount } = type.getFields()
    const listed = items ?? nodes
    if (!listed) return type.getFields().databaseId ? `{ ${label(type)} }` : `{ ${leaves(type)} }`
    const records = `${listed.name} { ${label(getNamedType(listed.type) as GraphQLObjectType)} }`
    return totalCount
      ? `{ totalCount pageInfo { hasNextPage endCursor } ${records} }`
      : `{ total totalPages ${records} }`
  }
  /** Selects as little as possible, so that the response depends mainly on the arguments. */
  const counts = (type: GraphQLNamedType): string =>
    isObjectType(type) && type.getFields().totalCount
      ? '{ totalCount }'
      : isObjectType(type) && type.getFields().total
        ? '{ total totalPages }'
        : brief(type)
  const leaves = (type: GraphQLObjectType): string =>
    Object.values(type.getFields())
      .filter(({ args, type: of }) => args.length === 0 && !isCompositeType(getNamedType(of)))
      .map(({ name }) => name)
      .join(' ')

  const documentOf = (stand: Stand, args: Args, selection: string, inline: boolean) => {
    const presentArgs = stand.field.args.filter(({ name }) => args[name] !== undefined)
    const passed = presentArgs.map(({ name, type }) => `${name}: ${inline ? literal(args[name], type) : `$${name}`}`)
    const declared = inline ? [] : presentArgs.map(({ name, type }) => `$${name}: ${type}`)
    const call = `${stand.field.name}${passed.length > 0 ? `(${passed.join(', ')})` : ''} ${selection}`
    const query = `query ${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${stand.around(call)} }`
    return { query, variables: inline ? {} : args }
  }
  const requestOf = (stand: Stand, args: Args, selection: string, inline: boolean, root: string): NamedRequest => {
    const { query, variables } = documentOf(stand, args, selection, inline)
    return graphqlRequest(query, variables, root, inline)
  }

  const draw = (stand: Stand, path: Path): fc.Arbitrary<Args> => {
    const { args } = stand.field
    const [first, ...rest] = path
    const drawnArgs = args.filter((each) => each.name === first || isRequiredArgument(each))
    const values = drawnArgs.map(({ name, type }) => {
      const places = [`${stand.name}(${name}:)`, `${getNamedType(stand.field.type).name}(${name}:)`, `(${name}:)`]
      return [name, value(type, places, name === first ? rest : [])] as const
    })
    return fc.record(Object.fromEntries(values)).chain((drawn) => withNeeded(drawn, stand, path))
  }

  /** Arguments that have an effect only together with others. */
  const withNeeded = (drawn: Args, { field }: Stand, path: Path): fc.Arbitrary<Args> => {
    const filterType = field.args.find(({ name }) => name === 'filter')?.type
    const order = valueAt(drawn, ['orderBy', 'field'])
    const names = [
      ...(order === 'DISTANCE' ? ['near'] : []),
      ...(order === 'RELEVANCE' ? ['search'] : []),
      ...(order === 'INCLUDE' ? ['include'] : []),
      ...(path.at(-1) === 'searchMode' ? ['search'] : []),
    ]
    const needed: fc.Arbitrary<unknown>[] = names.map((name) =>
      isInputObjectType(filterType) ? object(filterType, [name]) : fc.constant({}),
    )
    if (path.at(-1) === 'mustExist') needed.push(fc.constant(filterType === undefined ? {} : unknownIn(filterType)))
    const extras: Record<string, object> = {
      before: { last: 3 },
      day: { slug: 'course' },
      dayNumber: { slug: 'course', day: '2026-12-10' },
    }
    const extra = fc.constant(extras[path[0] ?? ''] ?? {})
    return fc.tuple(extra, ...needed).map(([own, ...filters]) => {
      if (filters.length === 0) return { ...drawn, ...(own as Args) }
      return { ...drawn, ...(own as Args), filter: Object.assign({}, drawn.filter, ...filters) }
    })
  }

  const coordinate = (stand: Stand, path: Path, enumValue?: string): Coordinate => {
    const drawn = draw(stand, path)
    const fixed =
      enumValue === undefined
        ? drawn
        : drawn.chain((args) => withNeeded(replaced(args, path, enumValue) as Args, stand, path))
    const type = getNamedType(stand.field.type)
    const selection = fc.constantFrom(counts(type), brief(type))
    const root = fc.constantFrom(...roots)
    return {
      name: `${stand.name}(${path.join('.')}${enumValue === undefined ? '' : `: ${enumValue}`})`,
      isRepeated: isRepeated(stand, path),
      request: fc
        .tuple(fixed, selection, fc.boolean(), root)
        .map(([args, selected, inline, from]) => requestOf(stand, args, selected, inline, from)),
      variants: fc.tuple(fixed, fc.array(drawn, { minLength: 2, maxLength: 2 })).map(([args, others]) => {
        const all = [
          args,
          replaced(args, path, undefined),
          ...others.map((other) => replaced(args, path, valueAt(other, path))),
        ]
        return all.map((each) => requestOf(stand, each as Args, brief(type), false, ''))
      }),
    }
  }

  const compositesOf = (type: GraphQLObjectType) =>
    Object.values(type.getFields()).filter(
      ({ args, type: of }) => !args.some(isRequiredArgument) && isCompositeType(getNamedType(of)),
    )
  const selectionOf = (field: GraphQLField<unknown, unknown>): string => {
    const type = getNamedType(field.type)
    return isObjectType(type) ? `${field.name} { ${leaves(type)} }` : field.name
  }

  const stands: Stand[] = [
    ...Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) =>
      ofUsers.has(field.name) ? [] : [{ name: `Query.${field.name}`, field, around: (call: string) => call }],
    ),
    ...typesOfRecords.flatMap((type) =>
      Object.values(typeOf(type).getFields()).flatMap((field) => {
        const kind = recordKinds.find((one) => one === type.toLowerCase())
        if (field.args.length === 0 || !kind || ofUsers.has(field.name)) return []
        const around = (call: string) => `list: ${pluralOf[kind]}Page(perPage: 20) { items { databaseId ${call} } }`
        return [{ name: `${type}.${field.name}`, field, around }]
      }),
    ),
  ]
  const coordinates = stands.flatMap((stand) =>
    pathsOf(stand.field.args).flatMap((path) => {
      if (isRepeated(stand, path) && !repeatedPaths.has(path.join('.'))) return []
      const type = typeAt(stand.field.args, path)
      if (isInputObjectType(type) && !isFilterInFilter(path)) return []
      if (!isEnumType(type) || path.at(-1) === 'status') return [coordinate(stand, path)]
      return type.getValues().map(({ name }) => coordinate(stand, path, name))
    }),
  )

  /** Every field of each kind of record, read by ID, by slug, by list and by node. */
  const fields: fc.Arbitrary<NamedRequest>[] = typesOfRecords.flatMap((name) => {
    const type = typeOf(name)
    const kind = recordKinds.find((one) => one === name.toLowerCase())
    if (!kind) return []
    const selections = [
      leaves(type),
      ...compositesOf(type).flatMap((field) => [selectionOf(field), `databaseId ${selectionOf(field)}`]),
    ]
    return selections.map((selection) =>
      fc
        .tuple(
          fc.constantFrom(
            ...(content.open[kind] ?? []).flatMap(({ databaseId, slug, id }) => [
              `${kind}(id: ${databaseId}) { ${selection} }`,
              `${kind}(slug: ${JSON.stringify(slug)}) { ${selection} }`,
              `node(id: "${id}") { ... on ${name} { ${selection} } }`,
            ]),
            `${pluralOf[kind]}(first: 20) { nodes { ${selection} } }`,
            `${pluralOf[kind]}Page(perPage: 20) { items { ${selection} } }`,
          ),
          fc.constantFrom(...roots),
        )
        .map(([call, root]) => graphqlRequest(`{ ${call} }`, {}, root, false)),
    )
  })

  /** The language of the operation. */
  const contexts = (schema.getDirective(directive)?.args ?? []).flatMap((argument): Coordinate[] => {
    const drawn = value(argument.type, [`@${directive}(${argument.name}:)`, `(${argument.name}:)`])
    const query = (directiveText: string) =>
      `query ${directiveText} { events(first: 20) { nodes { databaseId title description locked } } }`
    const one = (argumentValue: unknown) =>
      graphqlRequest(query(`@${directive}(${argument.name}: ${literal(argumentValue, argument.type)})`), {}, '', false)
    return [
      {
        name: `@${directive}(${argument.name})`,
        request: drawn.map(one),
        variants: fc
          .array(drawn, { minLength: 3, maxLength: 3 })
          .map((some) => [graphqlRequest(query(''), {}, '', false), ...some.map(one)]),
      },
    ]
  })
  return { coordinates: [...coordinates, ...contexts], fields }
}

function graphqlRequest(query: string, variables: object, root: string, byGet: boolean): NamedRequest {
  const accept = 'application/graphql-response+json'
  const name = `${root} ${query} ${JSON.stringify(variables)}`
  if (byGet)
    return { name, request: { url: `${root}/graphql?query=${encodeURIComponent(query)}`, headers: { accept } } }
  return {
    name,
    request: { method: 'POST', url: `${root}/graphql`, headers: { accept }, payload: { query, variables } },
  }
}

/** Arguments that refer to a record that does not exist. */
function unknownIn(type: GraphQLInputType): Args {
  const fields = isInputObjectType(type) ? type.getFields() : {}
  if (fields.venues) return { venues: [nobody] }
  return fields.exclude ? { include: [String(nobody)] } : { event: nobody }
}

function typeAt(
  inputs: readonly { readonly name: string; readonly type: GraphQLInputType }[],
  [name, ...rest]: Path,
): GraphQLNamedType | undefined {
  const type = getNamedType(inputs.find((each) => each.name === name)?.type)
  return rest.length > 0 && isInputObjectType(type) ? typeAt(Object.values(type.getFields()), rest) : type
}

/** A copy with another value at a path; undefined removes it. */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by
  const { [name]: old, ...others } = (value ?? {}) as Record<string, unknown>
  const fresh = replaced(old, rest, by)
  return fresh === undefined ? others : { ...others, [name]: fresh }
}
