// What the tests of accounts ask by GraphQL, and how they read what is refused.
import type { Reply } from '../helpers/app.ts'

interface Refused {
  userErrors?: { code: string; field: string | null }[]
}

/** What the first mutation of an answer was refused for, or the answer as a whole. */
export const codeOf = ({ body }: Reply) => refusals(body)[0]?.code ?? body.errors?.[0]?.extensions?.code
export const fieldsOf = ({ body }: Reply) => refusals(body).map(({ field }) => field)

const refusals = ({ data }: { data?: Record<string, Refused | null> }) =>
  Object.values(data ?? {}).flatMap((payload) => payload?.userErrors ?? [])

export const createUser = `mutation ($input: CreateUserInput!) {
  createUser(input: $input) { user { databaseId login name email role } userErrors { code field } } }`
export const updateUser = `mutation ($input: UpdateUserInput!) {
  updateUser(input: $input) { user { databaseId login name email role } userErrors { code field } } }`
export const deleteUser =
  'mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { databaseId recordsHandedOver userErrors { code field } } }'
export const createPassword = `mutation ($input: CreateApplicationPasswordInput!) {
  made: createApplicationPassword(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } userErrors { code field } } }`
export const createToken = `mutation ($input: CreateApiTokenInput!) {
  made: createApiToken(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } userErrors { code field } } }`
export const revoke = `mutation ($input: RevokeCredentialInput!) {
  revokeCredential(input: $input) { credential { databaseId revokedAt } userErrors { code field } } }`
