// Draws query documents from a schema, and variations of them. A document is a tree of calls, which are printed as its text.
import {
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import type { Random } from '../../prisma/seed/random.ts'
import { literal } from './cached-values.ts'
import { type Args, type DrawScalar, type Field, inputDraws } from './document-inputs.ts'

/** A field, a fragment on a type, or the document. */
export interface Call {
  readonly field: Field | undefined
  /** The type of what is selected. */
  readonly type: GraphQLCompositeType | undefined
  readonly args: Args
  readonly below: readonly Call[]
}

export interface DocumentDraws {
  /** The fields of the query type. */
  readonly roots: readonly string[]
  documentOf(root: string): Call
  /** Other arguments, another field, or one field more or less, somewhere in the document. */
  variationOf(document: Call): Call
}

const [depthOfFirst, maxDepth] = [4, 7]

export function documentDraws(schema: GraphQLSchema, random: Random, scalar: DrawScalar): DocumentDraws {
  const { int, chance, pick } = random
  const { argumentsOf, varied } = inputDraws(random, scalar)
  const query = schema.getQueryType() ?? undefined
  const roots = Object.values(query?.getFields() ?? {}).filter(({ name }) => !ofUsers.has(name))

  const callOf = (field: Field, depth: number): Call => {
    const type = getNamedType(field.type)
    const below = isCompositeType(type) ? selectionOf(type, depth - 1) : []
    return { field, type: isCompositeType(type) ? type : undefined, args: argumentsOf(field), below }
  }

  const fieldsOf = (type: GraphQLCompositeType) =>
    type === query ? roots : 'getFields' in type ? Object.values(type.getFields()) : []

  const partOf = (type: GraphQLCompositeType, depth: number): Call[] => {
    if (isAbstractType(type) && chance(0.8)) {
      const one = pick(schema.getPossibleTypes(type))
      return [{ field: undefined, type: one, args: {}, below: selectionOf(one, depth) }]
    }
    const fields = fieldsOf(type).filter((field) => depth > 0 || !isCompositeType(getNamedType(field.type)))
    return fields.length > 0 ? [callOf(pick(fields), depth)] : []
  }

  /** Up to four fields; of a list mostly its records. */
  const selectionOf = (type: GraphQLCompositeType, depth: number): Call[] => {
    const records = isObjectType(type) ? (type.getFields().nodes ?? type.getFields().items) : undefined
    const listed = records && chance(0.7) ? [callOf(records, depth)] : []
    const others = Array.from({ length: int(listed.length > 0 ? 0 : 1, 3) }, () => partOf(type, depth))
    return [...listed, ...others.flat()]
  }

  const vary = (call: Call, depth: number): Call => {
    const { field, type, args, below } = call
    const at = int(0, Math.max(0, below.length - 1))
    const inner = below[at]
    if (inner && chance(0.5)) return { ...call, below: below.with(at, vary(inner, depth - 1)) }
    if (field && chance(0.5)) return { ...call, args: varied(field, args) }
    if (inner && below.length > 1 && chance(0.4)) return { ...call, below: below.toSpliced(at, 1) }
    if (inner && chance(0.2)) return { ...call, below: [...below, inner] }
    return type ? { ...call, below: [...below, ...partOf(type, depth)] } : call
  }

  return {
    roots: roots.map(({ name }) => name),
    documentOf: (root) => {
      const field = roots.find(({ name }) => name === root)
      return { field: undefined, type: query, args: {}, below: field ? [callOf(field, depthOfFirst)] : [] }
    },
    variationOf: (document) => vary(document, maxDepth),
  }
}

/** Fields that only signed-in users may select. */
const ofUsers = new Set(['user', 'users', 'usersPage', 'viewer', 'webhooks', 'webhooksPage'])

/** The text of a document. What has arguments or stands in a fragment gets an alias, so that it can be selected again. */
export function printDocument(document: Call): string {
  let aliases = 0
  const print = ({ field, type, args, below }: Call, isInFragment: boolean): string => {
    const parts = unaliased(below).map((each) => print(each, field === undefined && type !== document.type))
    const selection = parts.length > 0 ? ` { ${parts.join(' ')} }` : type ? ' { __typename }' : ''
    if (!field) return type === document.type ? selection : `... on ${type?.name}${selection}`
    const passed = field.args.filter(({ name }) => args[name] !== undefined)
    const pairs = passed.map((arg) => `${arg.name}: ${literal(args[arg.name], arg.type)}`)
    const call = `${field.name}${pairs.length > 0 ? `(${pairs.join(', ')})` : ''}${selection}`
    if (!isInFragment && pairs.length === 0) return call
    aliases += 1
    return `a${aliases}: ${call}`
  }
  return print(document, false)
}

/** Without the repetitions of fields that have no arguments, whose selections would merge. */
const unaliased = (calls: readonly Call[]): readonly Call[] =>
  calls.filter(
    ({ field }, index) =>
      !field ||
      field.args.some(isRequiredArgument) ||
      field.args.length > 0 ||
      calls.findIndex((each) => each.field === field) === index,
  )
