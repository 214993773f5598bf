import { Client, type CombinedError, fetchExchange, mapExchange } from '@urql/core'
import { basePath, contentLanguage, tagOf } from '../site.ts'
import { createCache } from './cache.ts'

/** Says that the session has ended: the request was not signed in, or its cookie no longer counts. */
export const isSignedOut = (error: CombinedError | undefined): boolean =>
  error?.response?.status === 401 ||
  (error?.graphQLErrors.some(({ extensions }) => extensions.code === 'UNAUTHENTICATED') ?? false)

/** Leads to the sign-in, and back to this screen. */
export const signInUrl = (): string =>
  `${basePath}/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`

export const client = new Client({
  url: `${basePath}/${tagOf(contentLanguage)}/graphql`,
  // The cookie counts for POST only.
  preferGetMethod: false,
  fetchOptions: {
    credentials: 'same-origin',
    // The cookie of the session counts only with this header, which a form of another site cannot send.
    headers: { 'x-requested-with': 'editor', 'graphql-require-preflight': '1' },
  },
  exchanges: [
    mapExchange({
      // What somebody wrote is not lost: a failed write stays on the screen, and its message leads to the sign-in.
      onError: (error, { kind }) => {
        if (kind === 'query' && isSignedOut(error)) location.assign(signInUrl())
      },
    }),
    createCache(),
    fetchExchange,
  ],
})
