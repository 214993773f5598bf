// Global IDs for the queries `node` and `nodes`.
import { decodeGlobalID } from '@pothos/plugin-relay'
import { type GraphQLResolveInfo, isObjectType } from 'graphql'
import { badInput } from '../errors.ts'

interface NodeId {
  readonly typename: string
  readonly id: string
}

/** Does not throw for a malformed ID, so that `nodes` reports an error for this ID only. */
export function decodeNodeId(text: string): NodeId {
  try {
    return decodeGlobalID(text)
  } catch {
    return { typename: '', id: text }
  }
}

/** The error for an ID that is not that of a record type; undefined for a valid one. */
export function wrongId(argument: 'id' | 'ids', { typename }: NodeId, { schema }: GraphQLResolveInfo) {
  const type = schema.getType(typename)
  if (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node')) return undefined
  return badInput({ [argument]: 'Invalid ID. Use an ID that a field `id` returned.' })
}
