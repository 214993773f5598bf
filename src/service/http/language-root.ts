// Language roots: `/fr/graphql` is `/graphql` in French. The language is taken off the URL before routing, so that each route is
// registered once.
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'node:http' {
  interface IncomingMessage {
    /** Set by Fastify's option `rewriteUrl`. */
    languageRoot?: { readonly language: string; readonly url: string }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route exists below each language, too. Other routes have no language root. */
    readonly hasLanguageRoots?: boolean
  }
}

/** For Fastify's option `rewriteUrl`: takes a language of the site off the URL that `rewrite` returns. */
export function takeLanguageRoots(languages: readonly string[], rewrite: (request: IncomingMessage) => string) {
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

/** `/fr` for a request below a language root; otherwise empty. */
export function rootPrefix(request: Pick<FastifyRequest, 'raw'>): string {
  const language = languageOfRoot(request)
  return language === undefined ? '' : `/${language}`
}

/** The URL with its language root, for cache keys, logs and redirects. */
export const fullUrl = ({ raw }: Pick<FastifyRequest, 'raw'>): string => raw.languageRoot?.url ?? raw.url ?? '/'

/** Makes routes without language roots unknown below a language. */
export function refuseOtherRoots(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions
    if (request.raw.languageRoot && !config.hasLanguageRoots && !request.is404) reply.callNotFound()
    else done()
  })
}
