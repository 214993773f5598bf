// Draws values for the arguments of a schema.
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql'
import type { Random } from '../../prisma/seed/random.ts'

export type Args = Readonly<Record<string, unknown>>

/** A value for a scalar, by the names of its type, of the argument or input field, and of the type that has or returns it. */
export type DrawScalar = (type: string, name: string, owner: string) => unknown

/** Cursors that a list returned, and what only editors may send. */
const skipped = new Set(['after', 'before', 'status', 'hideFromListings'])
const identities = new Set(['id', 'slug'])
/** Criteria that an order requires. */
const requiredBy: Args = { RELEVANCE: 'search', DISTANCE: 'near', INCLUDE: 'include' }
const maxDepth = 4

export type Field = GraphQLField<unknown, unknown>

export function inputDraws({ int, chance, pick, some }: Random, scalar: DrawScalar) {
  const value = (type: GraphQLInputType, name: string, owner: string, depth: number): unknown => {
    if (isNonNullType(type)) return value(type.ofType, name, owner, depth)
    if (isListType(type)) {
      const length = chance(0.2) ? int(5, 20) : int(1, 4)
      return Array.from({ length }, () => value(type.ofType, name, owner, depth))
    }
    if (isEnumType(type)) return pick(type.getValues()).name
    if (!isInputObjectType(type)) return scalar(type.name, name, owner)
    const fields = Object.values(type.getFields()).filter(
      (each) => !skipped.has(each.name) && (depth < maxDepth || !isInputObjectType(getNamedType(each.type))),
    )
    const chosen = type.isOneOf ? [pick(fields)] : [...fields.filter(isRequiredInputField), ...some(fields, int(1, 3))]
    return Object.fromEntries(
      chosen.map((each) => [each.name, value(each.type, each.name, type.name, depth + 1)] as const),
    )
  }

  const draw = (field: Field, args: Field['args']): Args =>
    Object.fromEntries(
      args.map(({ name, type }) => [name, value(type, name, getNamedType(field.type).name, 0)] as const),
    )

  /** Adds the criterion that the order requires. */
  const completed = (field: Field, args: Args): Args => {
    const needed = requiredBy[String((args.orderBy as Args | undefined)?.field)]
    const type = field.args.find(({ name }) => name === 'filter')?.type
    const filter = (args.filter ?? {}) as Args
    if (typeof needed !== 'string' || !isInputObjectType(type) || filter[needed] !== undefined) return args
    const criterion = type.getFields()[needed]
    return criterion ? { ...args, filter: { ...filter, [needed]: value(criterion.type, needed, type.name, 1) } } : args
  }

  const optional = ({ args }: Field) => args.filter(({ name }) => !skipped.has(name) && !identities.has(name))

  return {
    /** Arguments that identify a record, those that are required, and some others. */
    argumentsOf(field: Field): Args {
      const chosen = optional(field).filter((arg) => isRequiredArgument(arg) || chance(0.3))
      const identity = field.args.filter(({ name }) => identities.has(name))
      return completed(field, draw(field, identity.length > 0 ? [...chosen, pick(identity)] : chosen))
    },
    /** The same arguments, but one, which is new, extended or left out. */
    varied(field: Field, args: Args): Args {
      const possible = optional(field)
      if (possible.length === 0) return args
      const arg = pick(possible)
      const { [arg.name]: old, ...others } = args
      if (old !== undefined && !isRequiredArgument(arg) && chance(0.2)) return completed(field, others)
      const fresh = draw(field, [arg])[arg.name]
      return completed(field, { ...args, [arg.name]: chance(0.6) ? combined(old, fresh) : fresh })
    },
  }
}

/** The fields of both objects, the items of both lists, or else the new value. */
function combined(old: unknown, fresh: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(fresh)) return [...old, ...fresh]
  if (!isObject(old) || !isObject(fresh)) return fresh
  const both = Object.entries(fresh).map(([name, value]) => [name, combined(old[name], value)] as const)
  return { ...old, ...Object.fromEntries(both) }
}

const isObject = (value: unknown): value is Args => typeof value === 'object' && value !== null && !Array.isArray(value)
