import type { CombinedError } from '@urql/core'
import type { UserErrorPartsFragment } from '../gql/graphql.ts'
import type { Messages } from '../messages.ts'
import { isSignedOut } from './client.ts'

/** What a mutation rejected, in words. Undefined if nothing is wrong. */
export function problemOf(
  userErrors: readonly UserErrorPartsFragment[] | undefined,
  error: CombinedError | undefined,
  messages: Messages,
): string | undefined {
  if (error) return failureText(error, messages)
  const [first] = userErrors ?? []
  return first && userErrorText(first, messages)
}

/** Says why a request failed. */
export function failureText(error: CombinedError, { errors }: Messages): string {
  if (error.networkError) return errors.network
  if (isSignedOut(error)) return errors.UNAUTHENTICATED
  const [first] = error.graphQLErrors
  return knownText(String(first?.extensions.code), errors) ?? first?.message ?? error.message
}

/** Wrong values have a message of the service, which names the value and what would be right. */
const userErrorText = ({ code, message }: UserErrorPartsFragment, { errors }: Messages): string =>
  knownText(code, errors) ?? message

const knownText = (code: string, errors: Messages['errors']): string | undefined =>
  code in errors ? errors[code as keyof typeof errors] : undefined
