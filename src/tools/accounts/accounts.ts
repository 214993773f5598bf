// Manages users and credentials through GraphQL operations, so that the rules of the service apply.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { settings } from '../../basics/env.ts'
import { CliUsersDocument } from '../../generated/graphql/graphql.ts'
import { toCanonicalLogin } from '../../service/auth/login.ts'
import { type ExecuteOperation, readAllNodes, withOperations } from '../operations.ts'

/** Runs `work` with functions that read and change users and credentials. */
export const withAccounts = <Result>(work: (accounts: ReturnType<typeof accountsOf>) => Promise<Result>) =>
  withOperations(
    settings(),
    { alternative: 'or manage users and credentials through its GraphQL API' },
    ({ execute, session }) => work(accountsOf(execute, session.settings.perPageMax)),
  )

interface Payload {
  readonly userErrors: readonly { readonly path: readonly string[]; readonly message: string }[]
}

export function accountsOf(execute: ExecuteOperation, first: number) {
  /** Returns all users, or the users whose name, login or e-mail address contains `search`. */
  const users = (search?: string) =>
    Array.fromAsync(readAllNodes(async (after) => (await execute(CliUsersDocument, { search, first, after })).users))
  /** Returns the user with this login. Throws if there is none. */
  const userOf = async (login: string) => {
    const canonical = toCanonicalLogin(login)
    const user = (await users(canonical)).find((candidate) => candidate.login === canonical)
    if (user) return user
    throw new Error(`There is no user with the login ${login}. \`user list\` shows all users.`)
  }
  /** Runs a mutation and returns its payload. Throws user errors, with names of options in place of input fields. */
  const mutate = async <P extends Payload, Variables extends { input: object }>(
    document: TypedDocumentNode<{ outcome: P | null }, Variables>,
    input: Variables['input'],
  ): Promise<P> => {
    const { outcome } = await execute(document, { input } as Variables)
    if (!outcome) throw new Error('The service returned no result for the mutation. Please report this error.')
    if (outcome.userErrors.length === 0) return outcome
    const messages = outcome.userErrors.map(({ path: [field = ''], message }) =>
      message.replace(field, (name) => options[name] ?? name),
    )
    throw new Error(messages.join(' '))
  }
  return { execute, users, userOf, mutate }
}

/** Command line options by input field, for error messages. */
const options: Readonly<Record<string, string>> = { contentTo: '--content-to', expiresAt: '--expires' }

/** Returns a parser of an ID that the command `list` prints. */
export const idReader =
  (list: string) =>
  (text: string): number => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
    throw new InvalidArgumentError(`Give an ID from \`${list}\`.`)
  }

export function readInstant(text: string): Date {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text)
  throw new InvalidArgumentError('Give a date and time with a UTC offset, such as 2027-01-31T00:00:00Z.')
}
