// Language roots: `/fr/graphql` is `/graphql` in French. The language is removed from the URL before routing, so that each route
// is registered only once.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'node:http' {
  interface IncomingMessage {
    /** The language that was removed from the URL of this request, and the original URL. */
    languageRoot?: { readonly language: string; readonly url: string }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route exists below each language, too. Other routes have no language root. */
    readonly hasLanguageRoots?: boolean
  }
}

/** Returns a function for Fastify's option `rewriteUrl` that removes a language of the site from the start of the path. */
export function removeLanguageRoots(languages: readonly string[], rewrite: (request: IncomingMessage) => string) {
  const root = new RegExp(`^/(${languages.join('|')})(?=[/?]|$)`)
  return (request: IncomingMessage): string => {
    const url = rewrite(request)
    const [prefix = '', language] = root.exec(url) ?? []
    if (language === undefined) return url
    request.languageRoot = { language, url }
    return url.slice(prefix.length).replace(/^(?!\/)/, '/')
  }
}

/** Returns the language at the start of the path, such as `fr`; undefined if there is none. */
export const languageOfRoot = ({ raw }: Pick<FastifyRequest, 'raw'>): string | undefined => raw.languageRoot?.language

/** Returns the language root of a request, such as `/fr`; empty if the URL had no language. */
export function rootPrefix(request: Pick<FastifyRequest, 'raw'>): string {
  const language = languageOfRoot(request)
  return language === undefined ? '' : `/${language}`
}

/** Returns the URL as the client sent it, with its language root, for cache keys, logs and redirects. */
export const fullUrl = ({ raw }: Pick<FastifyRequest, 'raw'>): string => raw.languageRoot?.url ?? raw.url ?? '/'

/** Responds 404 to requests such as `/fr/health`, whose route exists only without a language. */
export function refuseUnsupportedLanguageRoots(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions
    if (request.raw.languageRoot && !config.hasLanguageRoots && !request.is404) reply.callNotFound()
    else done()
  })
}
