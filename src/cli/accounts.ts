// Accounts are managed by the operations that the service offers: its rules hold here, too.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { canonicalLogin } from '../auth/login.ts'
import { createContext } from '../context.ts'
import type { Settings } from '../env.ts'
import { type CliUserFragment, CliUsersDocument, type CliUsersQuery } from '../generated/graphql/graphql.ts'
import { disabledCache } from '../response-cache/response-cache.ts'
import { readSite, type Session, withSite } from './session.ts'

type Ask = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Data>

export interface Accounts {
  readonly ask: Ask
  /** All, or those in whose name, login or address there is this text. */
  users(search?: string): Promise<CliUserFragment[]>
  /** Throws when nobody has this login. */
  userOf(login: string): Promise<CliUserFragment>
}

/** Whoever may open the database is an administrator, though none of its users. */
const viewer = { id: 0, role: 'administrator' } as const

const meanwhile = 'or manage users and credentials through it, by GraphQL'

/** Runs `work` on the accounts of the database. */
export function withAccounts<Done>(settings: Settings, work: (accounts: Accounts) => Promise<Done>): Promise<Done> {
  const run = async (session: Session) => {
    const site = await readSite(session)
    // Loaded only here: it is most of the code.
    const [{ createSchema }, { createExecute }] = await Promise.all([
      import('../schema.ts'),
      import('../graphql/execute.ts'),
    ])
    const schema = createSchema(settings.languages)
    const execute = createExecute(schema, disabledCache, settings.execution, session.database.shortage)
    const context = await createContext({ ...session, site }, { viewer, language: settings.defaultLanguage })
    return work(accountsOf((document, variables) => execute(document, variables, context), settings.perPageMax))
  }
  return withSite(settings, run, meanwhile)
}

function accountsOf(ask: Ask, first: number): Accounts {
  const users: Accounts['users'] = async (search) => {
    const found: CliUserFragment[] = []
    for (let after: string | null = null; ; ) {
      const page: CliUsersQuery = await ask(CliUsersDocument, { search, first, after })
      found.push(...page.users.nodes)
      after = page.users.pageInfo.endCursor
      if (!page.users.pageInfo.hasNextPage) return found
    }
  }
  const userOf: Accounts['userOf'] = async (login) => {
    const wanted = canonicalLogin(login)
    const user = (await users(wanted)).find((candidate) => candidate.login === wanted)
    if (user) return user
    throw new Error(`There is no user with the login ${login}: \`user list\` shows who there is.`)
  }
  return { ask, users, userOf }
}

interface Outcome {
  readonly userErrors: readonly { readonly field: string | null; readonly message: string }[]
}

/** What options call the fields of inputs. */
const options: Readonly<Record<string, string>> = { contentTo: '--content-to', expiresAt: '--expires' }

/** The payload of a mutation. Throws in words of the command line when nothing was written. */
export function checkDone<Payload extends Outcome>(payload: Payload | null): Payload {
  if (!payload) throw new Error('The mutation has no payload.')
  const { userErrors } = payload
  if (userErrors.length === 0) return payload
  const told = userErrors.map(({ field, message }) => message.replace(field ?? '', (name) => options[name] ?? name))
  throw new Error(told.join(' '))
}
