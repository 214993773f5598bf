// Users and credentials, managed through the GraphQL API, so that its rules apply.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { settings } from '../../basics/env.ts'
import { CliUsersDocument } from '../../generated/graphql/graphql.ts'
import { canonicalLogin } from '../../service/auth/login.ts'
import { type ExecuteOperation, readAllNodes, withOperations } from '../operations.ts'

export const withAccounts = <Result>(work: (accounts: ReturnType<typeof accountsOf>) => Promise<Result>) =>
  withOperations(
    settings(),
    { alternative: 'or manage users and credentials through its GraphQL API' },
    ({ execute, session }) => work(accountsOf(execute, session.settings.perPageMax)),
  )

interface Payload {
  readonly userErrors: readonly { readonly path: readonly string[]; readonly message: string }[]
}

function accountsOf(execute: ExecuteOperation, first: number) {
  /** All users, or those whose name, login or e-mail address contains the text. */
  const users = (search?: string) =>
    Array.fromAsync(readAllNodes(async (after) => (await execute(CliUsersDocument, { search, first, after })).users))
  /** The user with this login. Throws if there is none. */
  const userOf = async (login: string) => {
    const canonical = canonicalLogin(login)
    const user = (await users(canonical)).find((candidate) => candidate.login === canonical)
    if (user) return user
    throw new Error(`There is no user with the login ${login}. \`user list\` shows all users.`)
  }
  /** The payload of a mutation. Throws its user errors, with options instead of field names. */
  const mutate = async <P extends Payload, Variables extends { input: object }>(
    document: TypedDocumentNode<{ outcome: P | null }, Variables>,
    input: Variables['input'],
  ): Promise<P> => {
    const { outcome } = await execute(document, { input } as Variables)
    if (!outcome) throw new Error('The mutation has no payload.')
    if (outcome.userErrors.length === 0) return outcome
    const messages = outcome.userErrors.map(({ path: [field = ''], message }) =>
      message.replace(field, (name) => options[name] ?? name),
    )
    throw new Error(messages.join(' '))
  }
  return { execute, users, userOf, mutate }
}

/** Command line options of input fields. */
const options: Readonly<Record<string, string>> = { contentTo: '--content-to', expiresAt: '--expires' }
