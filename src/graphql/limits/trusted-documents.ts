// TRUSTED_OPERATIONS: when a site has such a list, nothing else runs at its GraphQL door.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { GraphQLError, parse, print } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { parseLimited } from './document-size.ts'

/** A JSON object of documents by hash, as GraphQL Code Generator writes it. Throws one line that says what is wrong. */
function readTrusted(path: string): ReadonlyMap<string, string> {
  try {
    const entries = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)
    return new Map(entries.map(([hash, text]) => [hash, print(parse(text))]))
  } catch (error) {
    const cause = error instanceof Error ? error.message : error
    throw new Error(`TRUSTED_OPERATIONS names ${path}, which is no JSON object of documents by hash: ${cause}`)
  }
}

/** Finds a document by the hash that a request names, and refuses what is not in the list. */
export function onlyTrusted(path: string): Plugin {
  const listed = readTrusted(path)
  const documents = new Map([...listed.values()].map((text) => [sha256(text), text]))
  const find = (hash: string) => listed.get(hash) ?? documents.get(hash)
  return {
    onParams({ params, request, setParams }) {
      const hash = hashOf(params) ?? hashIn(request)
      const { query } = params
      const text = query ? normalized(query) : hash
      // What is no request at all is answered as without a list.
      if (text === undefined) return
      const found = find(query ? sha256(text) : text)
      if (found === undefined) throw notTrusted()
      setParams({ query: found, operationName: params.operationName, variables: params.variables })
    },
  }
}

function hashOf(params: object): string | undefined {
  const { documentId, extensions } = params as { documentId?: unknown; extensions?: Record<string, unknown> }
  const persisted = extensions?.persistedQuery as { sha256Hash?: unknown } | undefined
  const hash = documentId ?? persisted?.sha256Hash
  return typeof hash === 'string' ? hash : undefined
}

/** Yoga reads no `documentId` from an address. */
const hashIn = ({ method, url }: Request) =>
  method === 'GET' ? (new URL(url, 'http://localhost').searchParams.get('documentId') ?? undefined) : undefined

function normalized(query: unknown): string | undefined {
  try {
    return typeof query === 'string' ? print(parseLimited(query)) : undefined
  } catch {
    throw notTrusted()
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const notTrusted = () =>
  new GraphQLError('This site runs only the operations of its list, and this is none of them.', {
    extensions: { code: 'OPERATION_NOT_TRUSTED', http: { status: 403 } },
  })
