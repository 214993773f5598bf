// Commands that read and write content run GraphQL operations in process, so that the rules of the service apply.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Settings } from '../basics/env.ts'
import { canonicalLogin } from '../service/auth/login.ts'
import type { Viewer } from '../service/auth/permissions.ts'
import { createContext, type Operation } from '../service/context.ts'
import { readSite, type Session, withSite } from './session.ts'

/**
 * Runs one operation; by default in the default language of the site. Throws its first error. With `checksOnly` a mutation
 * writes nothing: if its input is valid, it returns one user error without a message.
 */
export type ExecuteOperation = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  options?: Partial<Pick<Operation, 'language' | 'forEditing' | 'checksOnly' | 'importing'>>,
) => Promise<Data>

interface Payload {
  readonly userErrors: readonly { readonly message: string }[]
}

/** The errors of a payload. A valid input that is only checked has one without a message, which does not count. */
export function errorsOf<P extends Payload>(payload: P | null | undefined): P['userErrors'][number][] {
  if (!payload) throw new Error('The mutation has no payload.')
  return payload.userErrors.filter(({ message }) => message !== '')
}

export interface Page<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Yields the nodes of all pages of a connection. */
export async function* readAllNodes<Node>(read: (after: string | null) => Promise<Page<Node>>): AsyncGenerator<Node> {
  for (let after: string | null = null; ; ) {
    const { nodes, pageInfo }: Page<Node> = await read(after)
    yield* nodes
    if (!pageInfo.hasNextPage) return
    after = pageInfo.endCursor
  }
}

export type Operations = Awaited<ReturnType<typeof createOperations>>

interface OperationsOptions {
  /**
   * The user who runs the operations and is the author of new records: the one with this login, by default the oldest
   * administrator. Without `author` the command line acts as an administrator who is not a user: new records have no
   * author unless the input sets one.
   */
  readonly author?: { readonly login?: string | undefined }
  /** Completes the error for a database that another process uses. */
  readonly alternative?: string
}

/** Runs `work` with the operations of the database at DATABASE_URL. */
export function withOperations<Result>(
  settings: Settings,
  { alternative, ...options }: OperationsOptions,
  work: (operations: Operations) => Promise<Result>,
): Promise<Result> {
  return withSite(settings, async (session) => work(await createOperations(session, options)), alternative)
}

export async function createOperations(session: Session, { author }: Pick<OperationsOptions, 'author'> = {}) {
  const { settings, database } = session
  const site = await readSite(session)
  const viewer = author ? await findAuthor(session, author.login) : commandLineViewer
  // Imported lazily: the schema is most of the code, and other commands do not need it.
  const [{ createSchema }, { createExecute }] = await Promise.all([
    import('../schema.ts'),
    import('../service/graphql/execute.ts'),
  ])
  const run = createExecute(createSchema(settings.languages), { settings, shortage: database.shortage })
  const execute: ExecuteOperation = async (document, variables, options) => {
    const operation = { viewer, language: settings.defaultLanguage, ...options }
    return run(document, variables, await createContext({ ...session, site }, operation))
  }
  return { session, site, execute }
}

/** The rights of a command that runs as nobody in particular. */
export const commandLineViewer: Viewer = { id: 0, role: 'administrator' }

async function findAuthor({ db }: Session, login: string | undefined): Promise<Viewer> {
  const where = login === undefined ? { role: 'administrator' as const } : { login: canonicalLogin(login) }
  const user = await db.user.findFirst({ where, orderBy: { id: 'asc' }, select: { id: true, role: true } })
  if (user) return user
  throw new Error(
    login === undefined
      ? 'There is no administrator who could be the author of new records. Name a user with --as, or create one with `user create`.'
      : `There is no user with the login ${login}. \`user list\` shows all users.`,
  )
}
