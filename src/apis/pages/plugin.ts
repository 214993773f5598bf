// Routes of the landing page and of the page of every record, in each language of the site.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import { DomainError } from '../../basics/errors.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { fullUrl, languageOfRoot, rootPrefix } from '../../service/http/language-root.ts'
import { otherFormat, sendNoSuchFormat } from '../../service/http/other-formats.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { serveAssets } from './assets.ts'
import { developersPage } from './developers.ts'
import { sendErrorPage } from './error-page.ts'
import { landingPage } from './landing.ts'
import { categoryOrView, redirectMovedCalendar, redirectMovedRecord } from './legacy-addresses.ts'
import { listPage } from './list.ts'
import { listNamesOf } from './list-links.ts'
import { homeUrl, type Page, type PageRequest } from './page.ts'
import { type PageRoute, sendPage } from './page-response.ts'
import { legacyRecordPaths, type PageKind, postPages, recordPages, recordPaths } from './record-pages.ts'
import { requestedLanguage } from './request-parameters.ts'

const eventsPath = '/events'

export function pagesPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  const { settings } = environment
  const { defaultLanguage, publicUrl, pagesUrl, restEnabled, restPrefix, legacyAddresses } = settings
  serveAssets(app, settings)
  app.register(async (scope) => {
    scope.addHook('onRequest', (request, reply, done) => {
      const format = otherFormat(fullUrl(request))
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
    page('/developers', developersPage, ['GET'])
    // The list of events on legacy sites, which bookmarks lead to.
    if (restPrefix !== eventsPath && legacyAddresses) {
      page(eventsPath, redirectMovedCalendar, ['GET'])
      page(`${eventsPath}/*`, redirectMovedCalendar, ['GET'])
    } else if (restPrefix !== eventsPath) {
      scope.get(eventsPath, { config }, (request, reply) =>
        reply.redirect(
          homeUrl(requestedLanguage(request, settings) ?? languageOfRoot(request) ?? defaultLanguage, settings),
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
    for (const list of listNamesOf(settings)) page(`/${list}/`, (pageRequest) => listPage(list, pageRequest), ['GET'])
    // With another PAGES_URL, another site serves the pages of records.
    if (pagesUrl === publicUrl) {
      for (const [path, kind] of Object.entries(recordPaths)) {
        page(path, legacyAddresses && kind === 'category' ? categoryOrView : recordPage(kind))
      }
      if (!legacyAddresses) return
      for (const [path, kind] of Object.entries(legacyRecordPaths)) page(path, redirectMovedRecord(kind), ['GET'])
    }
  })
}

const recordPage =
  (kind: PageKind): PageRoute['render'] =>
  (pageRequest, { params }) => {
    const { slug, '*': path = '' } = params as { slug?: string; '*'?: string }
    return recordPages[kind]({ slug: slug ?? path.replace(/\/+$/, '').split('/').at(-1) ?? '' }, pageRequest)
  }

function homePage(pageRequest: PageRequest, request: FastifyRequest): Promise<Page> {
  const { p } = queryOf(request)
  return typeof p === 'string' ? postPageById(p, pageRequest) : landingPage(pageRequest, request)
}

/** The page of an event, venue or organizer by its ID, for records without a slug. */
async function postPageById(id: string, pageRequest: PageRequest): Promise<Page> {
  try {
    return await postPages.event({ id }, pageRequest)
  } catch (error) {
    const isOtherKind = error instanceof DomainError && error.code === 'WRONG_KIND'
    const render = isOtherKind ? postPages[error.data.actual as keyof typeof postPages] : undefined
    if (!render) throw error
    return render({ id }, pageRequest)
  }
}
