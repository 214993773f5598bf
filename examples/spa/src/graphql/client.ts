import { Client, fetchExchange, mapExchange, subscriptionExchange } from '@urql/core'
import { persistedExchange } from '@urql/exchange-persisted'
import { createClient as createSseClient, type RequestParams, type Sink, type Client as SseClient } from 'graphql-sse'
import type { Language } from '../languages.ts'
import { createCache } from './cache.ts'

/**
 * A client for one language and user: both belong to the cache. `onUnauthenticated` runs when the service rejects the
 * credential, for example after it was revoked.
 */
export function createClient(
  language: Language,
  authorization: string | undefined,
  onUnauthenticated: () => void,
): Client {
  const url = `/${language.tag}/graphql`
  // Multipart requests, which upload files, need the header of the preflight.
  const headers: Record<string, string> = { 'graphql-require-preflight': '1', ...(authorization && { authorization }) }
  const sse = createSseClient({
    url,
    headers,
    // Reconnects for as long as the page is open: after 1, 2, 4 … 30 seconds, with up to a second more, so that many
    // pages do not return at once.
    retryAttempts: Number.POSITIVE_INFINITY,
    retry: (retries) =>
      new Promise((resolve) => setTimeout(resolve, Math.min(30_000, 1000 * 2 ** retries) + Math.random() * 1000)),
  })
  return new Client({
    url,
    fetchOptions: { headers },
    exchanges: [
      mapExchange({ onError: ({ response }) => response?.status === 401 && onUnauthenticated() }),
      createCache(),
      ...(import.meta.env.PROD ? [trustedDocuments] : []),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables, extensions }) => ({
          subscribe: (sink) => ({
            unsubscribe: subscribe(sse, { query, variables: { ...variables }, extensions }, sink),
          }),
        }),
      }),
    ],
  })
}

/** Dispatches `reconnected` when changes may have been missed. */
export const liveConnection = new EventTarget()

/** Errors after which a new stream may go on. Any other one means that the subscription is wrong. */
const passing = ['CHANGES_MISSED', 'UNAVAILABLE', 'UNAUTHENTICATED']

/** Subscribes again when the service ends the stream, for example because it restarts. */
function subscribe(sse: SseClient, request: RequestParams, sink: Sink): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isStopped = false
  let isFirst = true
  let isRejected = false
  const start = (): (() => void) => {
    const complete = () => {
      if (isStopped) return
      if (isRejected) return sink.complete()
      timer = setTimeout(
        () => {
          stop = start()
        },
        1000 + Math.random() * 4000,
      )
    }
    return sse.subscribe(
      request,
      {
        next: (result) => {
          isRejected = result.errors?.some(({ extensions }) => !passing.includes(String(extensions?.code))) ?? false
          sink.next(result)
        },
        error: (error) => sink.error(error),
        complete,
      },
      {
        connected: () => {
          if (!isFirst) liveConnection.dispatchEvent(new Event('reconnected'))
          isFirst = false
        },
      },
    )
  }
  let stop = start()
  return () => {
    isStopped = true
    clearTimeout(timer)
    stop()
  }
}

/** Sends the hash of each document instead of its text. In development the service gets the text: documents change. */
const trustedDocuments = persistedExchange({
  enforcePersistedQueries: true,
  enableForMutation: true,
  enableForSubscriptions: true,
  preferGetForPersistedQueries: 'within-url-limit',
  generateHash: async (_query, document) => hashOf(document),
})

/** The hash that GraphQL Code Generator wrote into the document. */
function hashOf(document: object): string {
  const { hash } = (document as { readonly __meta__?: { readonly hash?: string } }).__meta__ ?? {}
  if (hash === undefined) throw new Error('The document has no hash. Run `npm run codegen`.')
  return hash
}
