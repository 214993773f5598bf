// Runs GraphQL operations in the process of a command, so that the rules of the service apply to what commands write.
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { Settings } from '../basics/env.ts'
import * as documents from '../generated/graphql/graphql.ts'
import { isPost, kinds, type PostKind, type RecordKind } from '../kinds.ts'
import { toCanonicalLogin } from '../service/auth/login.ts'
import type { Viewer } from '../service/auth/permissions.ts'
import { createContext, type OperationOptions } from '../service/context.ts'
import { commandSource } from './command-source.ts'
import { readSiteRow, type Session, withSiteDatabase } from './session.ts'

/**
 * Runs one GraphQL operation, by default in the default language of the site. Throws the first error. With `checksOnly` a
 * mutation writes nothing: if its input is valid, it returns one user error with an empty message.
 */
export type ExecuteOperation = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  options?: Partial<Pick<OperationOptions, 'language' | 'forEditing' | 'checksOnly' | 'importing'>>,
) => Promise<Data>

interface Payload {
  readonly userErrors: readonly { readonly message: string }[]
}

/** Returns the user errors of a mutation. Ignores the error with an empty message, which means valid input with `checksOnly`. */
export function userErrorsOf<P extends Payload>(payload: P | null | undefined): P['userErrors'][number][] {
  if (!payload) throw new Error('The service returned no result for the mutation. Please report this error.')
  return payload.userErrors.filter(({ message }) => message !== '')
}

export interface ConnectionPage<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Yields the nodes of all pages of a connection. */
export async function* readAllNodes<Node>(
  read: (after: string | null) => Promise<ConnectionPage<Node>>,
): AsyncGenerator<Node> {
  for (let after: string | null = null; ; ) {
    const { nodes, pageInfo }: ConnectionPage<Node> = await read(after)
    yield* nodes
    if (!pageInfo.hasNextPage) return
    after = pageInfo.endCursor
  }
}

export type Operations = Awaited<ReturnType<typeof createOperations>>

interface OperationsOptions {
  /**
   * The user who runs the operations and becomes the author of new records. Default login: the oldest administrator.
   * Without `author`, operations have the rights of an administrator but no user, and new records no author.
   */
  readonly author?: { readonly login?: string | undefined }
  /** Advice for the error that another process uses the database, such as `or use the GraphQL API`. */
  readonly alternative?: string
}

/** Opens the database at DATABASE_URL, and runs `work` with a function that runs GraphQL operations on it. */
export function withOperations<Result>(
  settings: Settings,
  { alternative, ...options }: OperationsOptions,
  work: (operations: Operations) => Promise<Result>,
): Promise<Result> {
  return withSiteDatabase(settings, async (session) => work(await createOperations(session, options)), alternative)
}

export async function createOperations(session: Session, { author }: Pick<OperationsOptions, 'author'> = {}) {
  const { settings, database } = session
  const site = await readSiteRow(session)
  const viewer = author ? await findAuthor(session, author.login) : cliViewer
  // Imported lazily: loading the schema takes long, and other commands do not need it.
  const [{ createSchema }, { createExecute }] = await Promise.all([
    import('../schema.ts'),
    import('../service/graphql/execute.ts'),
  ])
  const run = createExecute(createSchema(settings.languages), { settings, shortage: database.shortage })
  const executeOn =
    (chosen: Session): ExecuteOperation =>
    async (document, variables, options) => {
      const origin = { source: commandSource() }
      const operation = { viewer, language: settings.defaultLanguage, origin, ...options }
      return run(document, variables, await createContext({ ...chosen, site }, operation))
    }
  return { session, site, execute: executeOn(session), executeOn }
}

/** The viewer for commands that run without a user: with the rights of an administrator. */
export const cliViewer: Viewer = { id: 0, role: 'administrator' }

async function findAuthor({ db }: Session, login: string | undefined): Promise<Viewer> {
  const where = login === undefined ? { role: 'administrator' as const } : { login: toCanonicalLogin(login) }
  const user = await db.user.findFirst({ where, orderBy: { id: 'asc' }, select: { id: true, role: true } })
  if (user) return user
  throw new Error(
    login === undefined
      ? 'There is no administrator who could be the author of new records. Set --as to the login of a user, or create an administrator with `user create`.'
      : `There is no user with the login ${login}. \`user list\` shows all users.`,
  )
}

/** The kinds of records that commands read and write. */
export type ToolKind = Extract<RecordKind, 'event' | 'venue' | 'organizer' | 'category' | 'tag'>

/** The input of a mutation. Commands build it from the fields of files without a static type; the mutation checks it. */
export type MutationInput = Readonly<Record<string, unknown>>

interface RecordPayload {
  readonly record?: { readonly id: number } | null
  readonly userErrors: readonly documents.ToolErrorFragment[]
}
type Mutation = TypedDocumentNode<{ readonly outcome: RecordPayload | null }, { readonly input: MutationInput }>

/** Returns the mutation that creates, updates or deletes a record of the kind. */
export function findMutation(verb: 'Create' | 'Update' | 'Delete', kind: RecordKind): Mutation
export function findMutation(verb: 'Create' | 'Update', kind: 'series'): Mutation
export function findMutation(verb: 'Create' | 'Update' | 'Delete', kind: RecordKind | 'series'): Mutation {
  const type = kind === 'series' ? 'Series' : kinds[kind as ToolKind].type
  return documents[`Tool${verb}${type}Document` as 'ToolCreateSeriesDocument'] as unknown as Mutation
}

/** Returns the mutation that moves a post to the trash, or deletes a term. */
export const findRemovalMutation = (kind: RecordKind): Mutation =>
  isPost(kind)
    ? (documents[`ToolTrash${kinds[kind as ToolKind & PostKind].type}Document`] as Mutation)
    : findMutation('Delete', kind)
