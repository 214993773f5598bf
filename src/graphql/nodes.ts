// IDs that clients give to `node` and `nodes`.
import { decodeGlobalID } from '@pothos/plugin-relay'
import { type GraphQLResolveInfo, isObjectType } from 'graphql'
import { badInput } from '../errors.ts'

interface NodeId {
  readonly typename: string
  readonly id: string
}

/** A malformed ID has no type: it is refused in its own place, not together with all the others. */
export function decodeNodeId(text: string): NodeId {
  try {
    return decodeGlobalID(text)
  } catch {
    return { typename: '', id: text }
  }
}

/** What is wrong with an ID that no record can have, undefined for any other. */
export function wrongId(argument: 'id' | 'ids', { typename }: NodeId, { schema }: GraphQLResolveInfo) {
  const type = schema.getType(typename)
  if (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node')) return undefined
  return badInput({ [argument]: 'Not the ID of a record: give one that a field `id` has answered.' })
}
