// Routes of the landing page and of the page of every record, in each language of the site.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import { DomainError } from '../../basics/errors.ts'
import type { Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { fullUrl, rootOf, rootPrefix } from '../../service/http/language-root.ts'
import { otherFormat, sendNoSuchFormat } from '../../service/http/other-formats.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { serveAssets } from './assets.ts'
import { developersPage } from './developers.ts'
import { sendErrorPage } from './error-page.ts'
import { eventPage } from './event.ts'
import { landingPage } from './landing.ts'
import { categoryOrView, movedCalendar, movedRecords } from './legacy-addresses.ts'
import { listPage } from './list.ts'
import { servedLists } from './list-links.ts'
import { organizerPage } from './organizer.ts'
import { homeUrl, type Page, type PageRequest } from './page.ts'
import { type PageRoute, sendPage } from './page-response.ts'
import { requestedLanguage } from './request-parameters.ts'
import { categoryPage, tagPage } from './term.ts'
import { venuePage } from './venue.ts'

type Render = (params: { slug: string }, pageRequest: PageRequest) => Promise<Page>

// Paths of nested categories have several segments: `music/jazz`.
const categoryByPath: Render = (params, pageRequest) => categoryPage({ slug: lastSegment(params) }, pageRequest)

const records: Readonly<Record<string, Render>> = {
  '/event/:slug': eventPage,
  '/venue/:slug': venuePage,
  '/organizer/:slug': organizerPage,
  '/events/category/*': categoryByPath,
  '/tag/:slug': tagPage,
}

const eventsPath = '/events'

const lastSegment = (params: object) => (params as { '*': string })['*'].replace(/\/+$/, '').split('/').at(-1) ?? ''

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
      page(eventsPath, movedCalendar, ['GET'])
      page(`${eventsPath}/*`, movedCalendar, ['GET'])
    } else if (restPrefix !== eventsPath) {
      scope.get(eventsPath, { config }, (request, reply) =>
        reply.redirect(
          homeUrl(requestedLanguage(request, settings) ?? rootOf(request) ?? defaultLanguage, settings),
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
    for (const list of servedLists(settings)) page(`/${list}/`, (pageRequest) => listPage(list, pageRequest), ['GET'])
    // With another PAGES_URL, another site serves the pages of records.
    if (pagesUrl === publicUrl) {
      for (const [path, render] of Object.entries(records)) {
        const own: PageRoute['render'] = (pageRequest, { params }) => render(params as { slug: string }, pageRequest)
        page(path, legacyAddresses && render === categoryByPath ? categoryOrView : own)
      }
      if (legacyAddresses) for (const [path, render] of Object.entries(movedRecords)) page(path, render, ['GET'])
    }
  })
}

function homePage(pageRequest: PageRequest, request: FastifyRequest): Promise<Page> {
  const { p } = queryOf(request)
  return typeof p === 'string' ? postPageById(p, pageRequest) : landingPage(pageRequest, request)
}

const posts: Readonly<Record<string, (identity: { id: string }, pageRequest: PageRequest) => Promise<Page>>> = {
  venue: venuePage,
  organizer: organizerPage,
}

/** The page of an event, venue or organizer by its ID, for records without a slug. */
async function postPageById(id: string, pageRequest: PageRequest): Promise<Page> {
  try {
    return await eventPage({ id }, pageRequest)
  } catch (error) {
    const isOtherKind = error instanceof DomainError && error.code === 'WRONG_KIND'
    const render = isOtherKind ? posts[String(error.data.actual)] : undefined
    if (!render) throw error
    return render({ id }, pageRequest)
  }
}
