// Addresses of the calendar on legacy sites, which lead to the pages of this service.
import type { FastifyRequest } from 'fastify'
import { notFoundError } from '../../basics/errors.ts'
import {
  PageChildCategoryDocument,
  PageOccurrenceDocument,
  PageOccurrencesDocument,
} from '../../generated/graphql/graphql.ts'
import { type CalendarView, occurrenceFilter, readCalendarAddress } from '../../service/http/calendar-view.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { formatCalendarQuery } from './calendar-query.ts'
import { createEventPage } from './event.ts'
import { homeUrl, type Page, type PageRequest, todayOf } from './page.ts'
import { createCategoryPage, type KindWithPage, readRecordPath, recordPageCreators } from './record-pages.ts'

type Render = (pageRequest: PageRequest, request: FastifyRequest) => Promise<Page>

export const redirectMovedCalendar: Render = async (pageRequest, request) => {
  const { segments, view } = addressOf(request, pageRequest)
  if (segments.length > 0) throw notFoundError('event', 'slug')
  const url = landingUrl(view, pageRequest)
  return { title: '', url, isMoved: true, indexed: false, languages: [], body: '' }
}

/** Renders the page of a category. Redirects a legacy URL that ends with a view, such as `/month/`. */
export const createCategoryPageOrRedirect: Render = async (pageRequest, request) => {
  const { execute, context } = pageRequest
  const { segments, view } = addressOf(request, pageRequest, 1)
  const [own = '', parent = ''] = pathOf(request).reverse()
  const slug = segments.at(-1) ?? ''
  if (slug === own) return createCategoryPage({ slug }, pageRequest)
  const { categories } = await execute(PageChildCategoryDocument, { slug: own, parent }, context)
  if (categories.nodes.length > 0) return createCategoryPage({ slug: own }, pageRequest)
  const page = moved(await createCategoryPage({ slug }, { ...pageRequest, page: 1 }), view)
  return view.date === undefined ? page : { ...page, url: landingUrl({ ...view, category: slug }, pageRequest) }
}

/** Redirects a legacy URL with additional path segments, such as a date, to the page of the record. */
export const redirectMovedRecord =
  (kind: KindWithPage): Render =>
  async (pageRequest, request) => {
    const { slug = '' } = pathParams(request)
    const { segments, view } = addressOf(request, pageRequest)
    if (segments.length > 0) throw notFoundError('event', 'slug')
    const target = { slug: kind === 'event' ? await occurrence(slug, view, pageRequest) : slug }
    return moved(await recordPageCreators[kind](target, { ...pageRequest, page: 1 }), view)
  }

/** Renders the page of an event. Redirects a legacy URL with the day of an event that is no date of a series. */
export const createEventPageOrRedirect: Render = async (pageRequest, request) => {
  const { day, ...target } = readRecordPath(request.params)
  if (day === undefined) return createEventPage(target, pageRequest)
  const { event } = await pageRequest.execute(PageOccurrenceDocument, { slug: target.slug }, pageRequest.context)
  if (event?.series) return createEventPage({ ...target, day }, pageRequest)
  return redirectMovedRecord('event')(pageRequest, request)
}

const pathParams = ({ params }: FastifyRequest) => {
  const { day = '', ...others } = params as { slug?: string; day?: string; '*'?: string }
  return { '*': day, ...others }
}

const pathOf = (request: FastifyRequest) =>
  pathParams(request)
    ['*'].split('/')
    .filter((segment) => segment !== '')

function addressOf(request: FastifyRequest, { settings, context }: PageRequest, kept = 0) {
  const today = todayOf({ settings, context })
  const options = { today, categoryTaxonomy: settings.restCategoryTaxonomy, kept }
  return readCalendarAddress(pathParams(request)['*'], queryOf(request), options)
}

const moved = (page: Page, { page: number }: CalendarView): Page => ({
  ...page,
  url: number > 1 ? `${page.url}?page=${number}` : page.url,
  isMoved: true,
})

/** Returns the URL of the landing page for a legacy view. A list from a day becomes the month of this day. */
function landingUrl({ name, date, page, search, category }: CalendarView, { language, settings }: PageRequest): string {
  const isDay = name === 'day' && date !== undefined
  const query = {
    view: isDay || name === 'list' || page > 1 ? ('list' as const) : ('month' as const),
    search,
    month: isDay ? undefined : date?.slice(0, 'YYYY-MM'.length),
    date: isDay ? date : undefined,
    filters: category === undefined ? {} : { category },
  }
  return homeUrl(language, settings) + formatCalendarQuery(query, page)
}

/** Returns the slug of the event with the same title on the day in the URL; if there is none, the slug in the URL. */
async function occurrence(slug: string, { date }: CalendarView, { execute, context }: PageRequest): Promise<string> {
  const { event } = await execute(PageOccurrenceDocument, { slug }, context)
  if (!event || date === undefined || event.startsLocal.startsWith(date)) return slug
  const { events } = await execute(PageOccurrencesDocument, { filter: occurrenceFilter(event.title, date) }, context)
  return events.nodes.find(({ title }) => title === event.title)?.slug ?? slug
}
