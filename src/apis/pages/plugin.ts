// Routes of the landing page and of the page of every record, in each language of the site.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import { DomainError } from '../../basics/errors.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { fullUrl, languageOfRoot, rootPrefix } from '../../service/http/language-root.ts'
import { findOtherFormat, sendNoSuchFormat } from '../../service/http/other-formats.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { sessionCookieOf } from '../../service/http/session-cookies.ts'
import { signInPath } from './account/form-page.ts'
import { serveAssets } from './assets.ts'
import { createDevelopersPage } from './developers.ts'
import { serveEditor } from './editor.ts'
import { sendErrorPage } from './error-page.ts'
import { createEventPage } from './event.ts'
import { createLandingPage } from './landing.ts'
import {
  createCategoryPageOrRedirect,
  createEventPageOrRedirect,
  redirectMovedCalendar,
  redirectMovedRecord,
} from './legacy-addresses.ts'
import { createRecordListPage } from './list.ts'
import { servedListNames } from './list-links.ts'
import { homeUrl, type Page, type PageRequest } from './page.ts'
import { type PageRoute, sendPage } from './page-response.ts'
import {
  type KindWithPage,
  legacyRecordPagePaths,
  postPageCreators,
  readRecordPath,
  recordPageCreators,
  recordPagePaths,
} from './record-pages.ts'
import { readQueryLanguage } from './request-parameters.ts'

const eventsPath = '/events'

export function pagesPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  const { settings } = environment
  const { defaultLanguage, publicUrl, pagesUrl, restEnabled, restPrefix, legacyAddresses } = settings
  serveAssets(app, settings)
  serveEditor(app, settings)
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const format = findOtherFormat(fullUrl(request))
      if (format === undefined) done()
      else sendNoSuchFormat(reply, format)
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 10_000 },
      async (_request: unknown, text: string) => qs.parse(text),
    )
    const config = { hasLanguageRoots: true }
    // Passwords are sent by POST, so that they do not appear in URLs.
    const page = (path: string, render: PageRoute['render'], method = ['GET', 'POST']) =>
      scope.route({
        method,
        url: path,
        config,
        errorHandler: ({ statusCode }, request, reply) => sendErrorPage(statusCode ?? 400, request, reply, environment),
        handler: (request, reply) => sendPage(request, reply, { environment, execute, render }),
      })
    page('/', homePage)
    page('/developers', createDevelopersPage, ['GET'])
    // The list of events on legacy sites, which bookmarks lead to.
    if (restPrefix !== eventsPath && legacyAddresses) {
      page(eventsPath, redirectMovedCalendar, ['GET'])
      page(`${eventsPath}/*`, redirectMovedCalendar, ['GET'])
    } else if (restPrefix !== eventsPath) {
      scope.get(eventsPath, { config }, (request, reply) =>
        reply.redirect(
          homeUrl(readQueryLanguage(request, settings) ?? languageOfRoot(request) ?? defaultLanguage, settings),
          301,
        ),
      )
    }
    // The index of the REST API links to this path as its parent.
    if (restEnabled && restPrefix !== '' && !legacyAddresses) {
      scope.get(`${restPrefix}/`, { config }, async (request, reply) =>
        reply.redirect(`${publicUrl}${rootPrefix(request)}/`),
      )
    }
    // The page of an event that may not be published yet. Only signed-in people get it, so that nothing stores it.
    scope.get<{ Params: { id: string } }>(
      '/edit/preview/:id',
      { config: { ...config, acceptsSession: () => true } },
      async (request, reply) => {
        const path = signInPath(`/edit/preview/${request.params.id}`, { request, settings })
        const signIn = request.headers.authorization ? undefined : path
        if (signIn && !sessionCookieOf(request, settings)) return reply.redirect(signIn)
        const render = async (pageRequest: PageRequest): Promise<Page> => {
          const { url: _, ...page } = await createEventPage({ id: request.params.id }, pageRequest)
          return { ...page, indexed: false }
        }
        return sendPage(request, reply, { environment, execute, render, signIn })
      },
    )
    for (const list of servedListNames(settings))
      page(`/${list}/`, (pageRequest) => createRecordListPage(list, pageRequest), ['GET'])
    // With another PAGES_URL, another site serves the pages of records.
    if (pagesUrl === publicUrl) {
      for (const [path, kind] of Object.entries(recordPagePaths)) {
        page(path, (legacyAddresses && legacyRenderers[kind]) || recordPage(kind))
      }
      if (!legacyAddresses) return
      for (const [path, kind] of Object.entries(legacyRecordPagePaths)) page(path, redirectMovedRecord(kind), ['GET'])
    }
  })
}

const recordPage =
  (kind: KindWithPage): PageRoute['render'] =>
  (pageRequest, { params }) =>
    recordPageCreators[kind](readRecordPath(params), pageRequest)

/** Pages whose URLs can also be addresses of a legacy site. */
const legacyRenderers: Readonly<Partial<Record<KindWithPage, PageRoute['render']>>> = {
  category: createCategoryPageOrRedirect,
  event: createEventPageOrRedirect,
}

function homePage(pageRequest: PageRequest, request: FastifyRequest): Promise<Page> {
  const { p } = queryOf(request)
  return typeof p === 'string' ? postPageById(p, pageRequest) : createLandingPage(pageRequest, request)
}

/** Renders the page of an event, venue or organizer by ID (`/?p=12`), for records without a slug. */
async function postPageById(id: string, pageRequest: PageRequest): Promise<Page> {
  try {
    return await postPageCreators.event({ id }, pageRequest)
  } catch (error) {
    const isOtherKind = error instanceof DomainError && error.code === 'WRONG_KIND'
    const render = isOtherKind ? postPageCreators[error.data.actual as keyof typeof postPageCreators] : undefined
    if (!render) throw error
    return render({ id }, pageRequest)
  }
}
