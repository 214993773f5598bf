import { DomainError, inputProblemsError } from '../../basics/errors.ts'
import type { LegacyErrorsFragment } from '../../generated/graphql/graphql.ts'

export interface MutationPayload {
  readonly userErrors: LegacyErrorsFragment['userErrors']
}

/** Returns the payload of a successful mutation. Throws its user errors as one DomainError. */
export function requireSuccess<P extends MutationPayload>(payload: P | null): P {
  if (!payload) throw new Error('A mutation without errors returned null')
  const { userErrors } = payload
  const [first] = userErrors
  if (!first) return payload
  // Invalid parameters take precedence over missing permissions and existing terms (contract b.2).
  const invalid = userErrors.filter(({ code }) => code === 'BAD_INPUT')
  if (invalid.length > 0)
    throw inputProblemsError(invalid.flatMap(({ path, message }) => (path.length > 0 ? { path, message } : [])))
  throw new DomainError(first.code, first.message, {
    by: first.path[0] === 'currentSlug' ? 'slug' : undefined,
    databaseId: first.databaseId,
  })
}

export function requireRecord<Record>(record: Record | null | undefined): Record {
  if (record == null) throw new Error('A mutation returned neither a record nor a user error')
  return record
}
