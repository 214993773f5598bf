import { Client, type CombinedError, fetchExchange, mapExchange } from '@urql/core'
import { basePath, contentLanguage, tagOf } from '../site.ts'
import { createCache } from './cache.ts'

/** Says that the session has ended: the request was not signed in, or its cookie no longer counts. */
export const isSignedOut = (error: CombinedError | undefined): boolean =>
  error?.response?.status === 401 ||
  (error?.graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED') ?? false)

/** Leads to the sign-in, and then to a screen: this one, if no other is given. */
export const signInUrl = (next = location.pathname + location.search): string =>
  `${basePath}/sign-in?next=${encodeURIComponent(next)}`

let onSignedOut = () => {}
/** Calls the listener when the service refused a request because the session has ended. */
export function listenForSignOut(listener: () => void): void {
  onSignedOut = listener
}

interface Payload {
  readonly userErrors?: readonly { readonly code: string }[]
}
const isRefusedWrite = (data: unknown): boolean =>
  Object.values(data ?? {}).some((payload: Payload | null) =>
    payload?.userErrors?.some(({ code }) => code === 'UNAUTHENTICATED'),
  )

const fetchOptions = {
  credentials: 'same-origin',
  // The cookie of the session counts only with this header, which a form of another site cannot send.
  headers: { 'x-requested-with': 'editor', 'graphql-require-preflight': '1' },
} as const

/** A random idempotency key. Without TLS, browsers have no `crypto.randomUUID`. */
export const createKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))))

/** The context of a mutation that can be repeated: with the same key, the service writes once. */
export const repeatable = (key: string) => ({
  fetchOptions: { ...fetchOptions, headers: { ...fetchOptions.headers, 'idempotency-key': key } },
})

export const client = new Client({
  url: `${basePath}/${tagOf(contentLanguage)}/graphql`,
  // The cookie counts for POST only.
  preferGetMethod: false,
  fetchOptions,
  exchanges: [
    mapExchange({
      onResult: ({ data, error, operation }) => {
        if (isSignedOut(error) || (operation.kind === 'mutation' && isRefusedWrite(data))) onSignedOut()
      },
    }),
    createCache(),
    fetchExchange,
  ],
})
