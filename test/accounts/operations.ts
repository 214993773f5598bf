// What the tests of accounts ask by GraphQL, and how they read what is refused.
import type { Reply } from '../helpers/app.ts'

export const codeOf = ({ body }: Reply) => body.errors?.[0]?.extensions?.code
export const fieldsOf = ({ body }: Reply) => Object.keys(body.errors?.[0]?.extensions?.fields ?? {})

export const createUser = `mutation ($input: CreateUserInput!) {
  createUser(input: $input) { user { databaseId login name email role } } }`
export const updateUser = `mutation ($input: UpdateUserInput!) {
  updateUser(input: $input) { user { databaseId login name email role } } }`
export const deleteUser =
  'mutation ($input: DeleteUserInput!) { deleteUser(input: $input) { databaseId recordsHandedOver } }'
export const createPassword = `mutation ($input: CreateApplicationPasswordInput!) {
  made: createApplicationPassword(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } } }`
export const createToken = `mutation ($input: CreateApiTokenInput!) {
  made: createApiToken(input: $input) { secret credential { databaseId kind name expiresAt revokedAt } } }`
export const revoke = `mutation ($input: RevokeCredentialInput!) {
  revokeCredential(input: $input) { credential { databaseId revokedAt } } }`
