// TRUSTED_OPERATIONS: restricts GraphQL to the operations of a file.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parse, print } from 'graphql'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { createRequestError } from '../request-errors.ts'
import { parseLimited } from './document-size.ts'

/** Documents by their hash in the file, and by the hash of their text. */
type TrustedDocuments = ReadonlyMap<string, string>

/**
 * Reads a JSON object that maps hashes to documents, as GraphQL Code Generator writes it, and adds those that the service itself
 * sends to browsers. Throws a one-line error.
 */
export function readTrustedDocuments(path: string, own: readonly string[]): TrustedDocuments {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)
    const listed = entries.map(([hash, text]) => [hash, print(parse(text))] as const)
    const texts = [...own.map((text) => print(parse(text))), ...listed.map(([, text]) => text)]
    return new Map([...texts.map((text) => [sha256(text), text] as const), ...listed])
  } catch (error) {
    const cause = error instanceof Error ? error.message : error
    throw new Error(`TRUSTED_OPERATIONS names ${path}, which is not a JSON object of documents by hash: ${cause}`)
  }
}

export async function createTrustedDocumentPlugins(documents: TrustedDocuments): Promise<Plugin[]> {
  // Imported at the first request, because this module imports Yoga.
  const { usePersistedOperations } = await import('@graphql-yoga/plugin-persisted-operations')
  const persistedOperations = usePersistedOperations({
    extractPersistedOperationId: (params, request) => hashIn(params) ?? hashInUrl(request),
    getPersistedOperation: (hash) => documents.get(hash) ?? null,
    customErrors: { notFound: notTrusted, keyNotFound: noOperation, persistedQueryOnly: noOperation },
  })
  return [documentsByHash, persistedOperations]
}

/** Rejects automatic persisted queries, which send only a hash at first: by Apollo's protocol, clients then send the document. */
export const refusePersistedQueriesPlugin: Plugin = {
  onParams({ params }) {
    if (params.query || params.extensions?.persistedQuery === undefined) return
    throw createRequestError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported', { status: 400, spec: true })
  },
}

/** Accepts trusted documents that are sent in full, by the hash of their text. The other plugin would reject them. */
const documentsByHash: Plugin = {
  onParams({ params: { query, ...params }, setParams }) {
    if (query === '') setParams(params)
    else if (typeof query === 'string') setParams({ ...params, documentId: sha256(normalized(query)) } as GraphQLParams)
  },
}

function hashIn(params: GraphQLParams): string | null {
  const { documentId, extensions } = params as GraphQLParams & { documentId?: unknown }
  const hash = documentId ?? (extensions?.persistedQuery as { sha256Hash?: unknown } | undefined)?.sha256Hash
  return typeof hash === 'string' ? hash : null
}

/** Returns `documentId` from the URL of a GET request, where Yoga does not look for it. */
const hashInUrl = ({ method, url }: Request) =>
  method === 'GET' ? new URL(url, 'http://localhost').searchParams.get('documentId') : null

function normalized(query: string): string {
  try {
    return print(parseLimited(query))
  } catch {
    throw notTrusted()
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const notTrusted = () => {
  const message = 'This site runs only trusted operations, and this operation is not one of them.'
  return createRequestError('OPERATION_NOT_TRUSTED', message, { status: 403 })
}

const noOperation = () => {
  const message = 'Send a trusted operation as `query`, or its hash as `documentId`.'
  return createRequestError('BAD_REQUEST', message, { status: 400, spec: true })
}
