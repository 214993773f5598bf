// GraphQL operations of the tests of accounts, and the error codes of their results.
import type { Reply } from '../helpers/app.ts'

interface ErrorResponse {
  userErrors?: { code: string; path: readonly string[] }[]
}

/** The error codes of the first mutation of a response, or of the whole response. */
export const codeOf = ({ body }: Reply) => errorCodes(body)[0]?.code ?? body.errors?.[0]?.extensions?.code
export const fieldsOf = ({ body }: Reply) => errorCodes(body).map(({ path }) => path.join('.'))

const errorCodes = ({ data }: { data?: Record<string, ErrorResponse | null> }) =>
  Object.values(data ?? {}).flatMap((payload) => payload?.userErrors ?? [])

export const createUser = `mutation ($input: CreateUserInput!) {
  createUser(input: $input) { user { databaseId login name email role } userErrors { code path } } }`
export const updateUser = `mutation ($input: UpdateUserInput!) {
  updateUser(input: $input) { user { databaseId login name email role } userErrors { code path } } }`
export const deleteUser =
  'mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { databaseId recordsHandedOver userErrors { code path } } }'
export const createPassword = `mutation ($input: CreateApplicationPasswordInput!) {
  created: createApplicationPassword(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } userErrors { code path } } }`
export const createToken = `mutation ($input: CreateApiTokenInput!) {
  created: createApiToken(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } userErrors { code path } } }`
export const revoke = `mutation ($input: RevokeCredentialInput!) {
  revokeCredential(input: $input) { credential { databaseId revokedAt } userErrors { code path } } }`
