import { badInputs, DomainError, type ErrorCode } from '../errors.ts'
import type { LegacyUserErrorFieldsFragment } from '../generated/graphql/graphql.ts'

export interface Payload {
  readonly userErrors: readonly LegacyUserErrorFieldsFragment[]
}

/** The payload of a mutation without user errors. Throws its user errors as one domain error. */
export function requireSuccess<P extends Payload>(payload: P | null): P {
  if (!payload) throw new Error('A mutation without errors returned null')
  const [first] = payload.userErrors
  if (!first) return payload
  if (first.code === 'BAD_INPUT') throw badInputs(payload.userErrors.filter(({ path }) => path.length > 0))
  throw new DomainError(first.code as ErrorCode, first.message, {
    by: first.by ?? undefined,
    databaseId: first.databaseId,
  })
}

/** The record of a successful payload. */
export function requireRecord<Record>(record: Record | null | undefined): Record {
  if (record == null) throw new Error('A mutation returned neither a record nor a user error')
  return record
}

/** The value of the only root field of an operation. */
export function rootField<Value>(data: Readonly<Record<string, Value>>): Value {
  for (const name in data) return data[name] as Value
  throw new Error('The operation has no root field')
}
