import { badInputs, DomainError, type ErrorCode } from '../errors.ts'
import type { LegacyUserErrorFieldsFragment } from '../generated/graphql/graphql.ts'

interface Payload {
  readonly userErrors: readonly LegacyUserErrorFieldsFragment[]
}

/** The payload of a mutation that did what it was asked. Throws what it refused, as a domain error. */
export function done<P extends Payload>(payload: P | null): P {
  if (!payload) throw new Error('A mutation without errors answered null')
  const [first] = payload.userErrors
  if (!first) return payload
  if (first.code === 'BAD_INPUT') throw badInputs(payload.userErrors.filter(({ path }) => path.length > 0))
  throw new DomainError(first.code as ErrorCode, first.message, {
    by: first.by ?? undefined,
    databaseId: first.databaseId,
  })
}

/** The record of a payload; a mutation without errors always has one. */
export function written<Record>(record: Record | null | undefined): Record {
  if (record == null) throw new Error('A mutation answered neither a record nor an error')
  return record
}
