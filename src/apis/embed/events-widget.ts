import type { FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import { PageEventsDocument } from '../../generated/graphql/graphql.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { feedFilter, readFeedParams, setsDates } from '../feeds/params.ts'
import { eventCards, pageLinks } from '../pages/components.ts'
import { homeUrl, type PageRequest } from '../pages/page.ts'
import type { Widget } from './document.ts'

/** A list of events with the filters of the REST list; by default of those that are not over. */
export async function eventsWidget(pageRequest: PageRequest, request: FastifyRequest): Promise<Widget> {
  const { execute, context, settings, language, messages, page } = pageRequest
  const { theme: _, page: __, password: ___, ...filters } = queryOf(request)
  const params = readFeedParams(filters, context.now, settings)
  const { filter: ownFilter, expiresAt } = feedFilter(params, context.now, settings)
  context.recorder?.expiresAt(expiresAt)
  const isUpcoming = !setsDates(filters)
  // Lists on other sites leave out what only a password opens.
  const filter = { ...ownFilter, locked: false, ...(isUpcoming && { when: 'UPCOMING' as const }) }
  const perPage = Math.min(params.per_page ?? settings.perPageDefault, settings.perPageMax)
  const { eventsPage } = await execute(PageEventsDocument, { page, perPage, filter }, context)
  if (page > 1 && eventsPage.items.length === 0) throw notFound('event', 'id')
  const pageUrl = (to: number) => `?${queryOfPage(request.raw.url ?? '', to)}`
  const { items, totalPages } = eventsPage
  const url = homeUrl(language, settings)
  return {
    title: settings.siteName,
    url,
    body: html`<h1><a href="${url}">${settings.siteName}</a></h1>
<section aria-labelledby="events">
<h2 id="events">${isUpcoming ? messages.upcomingEvents : messages.events}</h2>
!${items.length === 0 ? html`<p>${isUpcoming ? messages.noEvents : messages.noSuchEvents}</p>` : eventCards(items, pageRequest)}
!${pageLinks({ page, totalPages, url: pageUrl, target: '_self' }, pageRequest)}
</section>`,
  }
}

/** The query of the request with another page. */
function queryOfPage(url: string, page: number): string {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'))
  query.set('page', String(page))
  return String(query)
}
