// The landing page, and the page of every record, in each language of the site.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import qs from 'qs'
import type { Environment } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { Execute } from '../graphql/execute.ts'
import { answer, type Door, failurePage } from './answer.ts'
import { eventPage } from './event.ts'
import { landingPage } from './landing.ts'
import { organizerPage } from './organizer.ts'
import { type Page, pageAssets, type Visit } from './page.ts'
import { categoryPage, tagPage } from './term.ts'
import { venuePage } from './venue.ts'

type Render = (params: { slug: string }, visit: Visit) => Promise<Page>

const records: Readonly<Record<string, Render>> = {
  '/event/:slug': eventPage,
  '/venue/:slug': venuePage,
  '/organizer/:slug': organizerPage,
  // Of a category in others: `music/jazz`.
  '/events/category/*': (params, visit) => categoryPage({ slug: lastSegment(params) }, visit),
  '/tag/:slug': tagPage,
}

const lastSegment = (params: object) => (params as { '*': string })['*'].replace(/\/+$/, '').split('/').at(-1) ?? ''

export function pagesPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  const { settings } = environment
  const { languages, publicUrl, pagesUrl, restEnabled, restPrefix } = settings
  pageAssets(app)
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 10_000 },
      async (_request: unknown, text: string) => qs.parse(text),
    )
    for (const root of [undefined, ...languages]) {
      const base = root === undefined ? '' : `/${root}`
      // A password is sent by POST, so that it stands in no address.
      const page = (path: string, render: Door['render']) =>
        scope.route({
          method: ['GET', 'POST'],
          url: `${base}${path}`,
          errorHandler: ({ statusCode }, _request, reply) =>
            failurePage(statusCode ?? 400, reply, { environment, root }),
          handler: (request, reply) => answer(request, reply, { environment, execute, root, render }),
        })
      page('/', homePage)
      // What the index of the interface names as above it.
      if (restEnabled && restPrefix !== '') {
        scope.get(`${base}${restPrefix}/`, async (_request, reply) => reply.redirect(`${publicUrl}${base}/`))
      }
      // Otherwise another site has the pages of the records.
      if (pagesUrl === publicUrl) {
        for (const [path, render] of Object.entries(records)) {
          page(path, (visit, { params }) => render(params as { slug: string }, visit))
        }
      }
    }
  })
}

function homePage(visit: Visit, { query }: FastifyRequest): Promise<Page> {
  const { p } = query as { p?: unknown }
  return typeof p === 'string' ? numberedPage(p, visit) : landingPage(visit)
}

const posts: Readonly<Record<string, (identity: { id: string }, visit: Visit) => Promise<Page>>> = {
  venue: venuePage,
  organizer: organizerPage,
}

/** An event, venue or organizer by its number: those that have no slug are named so. */
async function numberedPage(id: string, visit: Visit): Promise<Page> {
  try {
    return await eventPage({ id }, visit)
  } catch (error) {
    const isOther = error instanceof DomainError && error.code === 'WRONG_KIND'
    const render = isOther ? posts[String(error.data.actual)] : undefined
    if (!render) throw error
    return render({ id }, visit)
  }
}
