// Users and credentials, managed through the GraphQL API, so that its rules apply.

import type { Settings } from '../basics/env.ts'
import { type CliUserFragment, CliUsersDocument } from '../generated/graphql/graphql.ts'
import { canonicalLogin } from '../service/auth/login.ts'
import { allNodes, type ExecuteOperation, withOperations } from './operations.ts'

export interface Accounts {
  readonly execute: ExecuteOperation
  /** All users, or those whose name, login or e-mail address contains the text. */
  users(search?: string): Promise<CliUserFragment[]>
  /** The user with this login. Throws if there is none. */
  userOf(login: string): Promise<CliUserFragment>
}

/** Runs `work` with the accounts of the database. */
export function withAccounts<Result>(
  settings: Settings,
  work: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  const alternative = 'or manage users and credentials through its GraphQL API'
  return withOperations(settings, { alternative }, ({ execute }) => work(accountsOf(execute, settings.perPageMax)))
}

function accountsOf(execute: ExecuteOperation, first: number): Accounts {
  const users: Accounts['users'] = async (search) => {
    const all: CliUserFragment[] = []
    const nodes = allNodes(async (after) => (await execute(CliUsersDocument, { search, first, after })).users)
    for await (const user of nodes) all.push(user)
    return all
  }
  const userOf: Accounts['userOf'] = async (login) => {
    const canonical = canonicalLogin(login)
    const user = (await users(canonical)).find((candidate) => candidate.login === canonical)
    if (user) return user
    throw new Error(`There is no user with the login ${login}. \`user list\` shows all users.`)
  }
  return { execute, users, userOf }
}

interface Payload {
  readonly userErrors: readonly { readonly path: readonly string[]; readonly message: string }[]
}

/** Command line options of input fields. */
const options: Readonly<Record<string, string>> = { contentTo: '--content-to', expiresAt: '--expires' }

/** The payload of a mutation without user errors. Throws its user errors, with options instead of field names. */
export function requireSuccess<P extends Payload>(payload: P | null): P {
  if (!payload) throw new Error('The mutation has no payload.')
  const { userErrors } = payload
  if (userErrors.length === 0) return payload
  const messages = userErrors.map(({ path: [field = ''], message }) =>
    message.replace(field, (name) => options[name] ?? name),
  )
  throw new Error(messages.join(' '))
}
