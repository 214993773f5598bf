// Users and credentials, managed through the GraphQL API, so that its rules apply.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { canonicalLogin } from '../auth/login.ts'
import { createContext } from '../context.ts'
import type { Settings } from '../env.ts'
import { type CliUserFragment, CliUsersDocument, type CliUsersQuery } from '../generated/graphql/graphql.ts'
import { disabledCache } from '../response-cache/response-cache.ts'
import { readSite, type Session, withSite } from './session.ts'

type Execute = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>

export interface Accounts {
  readonly execute: Execute
  /** All users, or those whose name, login or e-mail address contains the text. */
  users(search?: string): Promise<CliUserFragment[]>
  /** The user with this login. Throws if there is none. */
  userOf(login: string): Promise<CliUserFragment>
}

/** The command line acts as an administrator who is not a user of the database. */
const viewer = { id: 0, role: 'administrator' } as const

const alternative = 'or manage users and credentials through its GraphQL API'

/** Runs `work` with the accounts of the database. */
export function withAccounts<Result>(
  settings: Settings,
  work: (accounts: Accounts) => Promise<Result>,
): Promise<Result> {
  const run = async (session: Session) => {
    const site = await readSite(session)
    // Imported lazily: the schema is most of the code, and other commands do not need it.
    const [{ createSchema }, { createExecute }] = await Promise.all([
      import('../schema.ts'),
      import('../graphql/execute.ts'),
    ])
    const schema = createSchema(settings.languages)
    const execute = createExecute(schema, disabledCache, settings.execution, session.database.shortage)
    const context = await createContext({ ...session, site }, { viewer, language: settings.defaultLanguage })
    return work(accountsOf((document, variables) => execute(document, variables, context), settings.perPageMax))
  }
  return withSite(settings, run, alternative)
}

function accountsOf(execute: Execute, first: number): Accounts {
  const users: Accounts['users'] = async (search) => {
    const all: CliUserFragment[] = []
    for (let after: string | null = null; ; ) {
      const page: CliUsersQuery = await execute(CliUsersDocument, { search, first, after })
      all.push(...page.users.nodes)
      after = page.users.pageInfo.endCursor
      if (!page.users.pageInfo.hasNextPage) return all
    }
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
