// The landing page: a month, or a list of events, with search and filters.
import type { FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { daysOfMonth } from '../../basics/dates/whole-days.ts'
import { notFound } from '../../basics/errors.ts'
import {
  type DayRange,
  type EventFilter,
  PageEventsDocument,
  PageListDocument,
  PageMonthDocument,
  type SearchMatch,
} from '../../generated/graphql/graphql.ts'
import { listFormats, siteCalendarUrl, subscribeLinks } from './calendar-links.ts'
import {
  type CalendarQuery,
  calendarHref,
  calendarQuery,
  feedQuery,
  filterOf,
  isFiltered,
  queryString,
} from './calendar-query.ts'
import { eventCards, eventTimeHtml, langAttribute, pageLinks, searchForm } from './components.ts'
import { formatMonth } from './date-format.ts'
import { titleWithStateHtml } from './event-state.ts'
import { activeFilterLinks, facetLinks, periodOf } from './facets.ts'
import { countedText, fillPlaceholders, type Messages } from './messages.ts'
import { monthGrid, monthLinks, neighborMonths } from './month.ts'
import { homeLinks, homeUrl, type Page, type PageRequest, todayOf } from './page.ts'
import { shortcutLinks } from './shortcuts.ts'

export async function landingPage(pageRequest: PageRequest, request: FastifyRequest): Promise<Page> {
  const { settings, language, messages, page } = pageRequest
  const query = calendarQuery(request, pageRequest)
  const calendarUrl = siteCalendarUrl(pageRequest) + feedQuery(query)
  const view = query.view === 'month' ? await monthView(query, pageRequest) : await listView(query, pageRequest)
  const home = homeUrl(language, settings)
  const parameters = queryString(query, page)
  return {
    title: parameters === '' ? settings.siteName : view.title,
    description: messages.lead,
    url: home + parameters,
    indexed: view.indexed,
    languages: homeLinks(pageRequest).map(({ url, ...link }) => ({ ...link, url: url + parameters })),
    formats: listFormats(calendarUrl, pageRequest),
    neighbors: view.neighbors,
    hasSearch: true,
    body: html`<div class="hero"><div class="wrap"><h1>!${parameters === '' ? html`${settings.siteName}` : html`<a href="${home}">${settings.siteName}</a>`}</h1>
<p class="lead">${messages.lead}</p>
!${searchForm(pageRequest, query.search, { month: query.month, date: query.date, to: query.to, ...query.filters })}
!${shortcutLinks(query, view.hasFiltersBelow === true, pageRequest)}</div></div>
!${view.body}
<div class="wrap">!${subscribeLinks(calendarUrl, pageRequest)}</div>`,
  }
}

interface View {
  readonly title: string
  readonly indexed: boolean
  readonly neighbors: NonNullable<Page['neighbors']>
  /** Whether the page shows events above the filters. */
  readonly hasFiltersBelow?: boolean
  readonly body: string
}

async function monthView(query: CalendarQuery, pageRequest: PageRequest): Promise<View> {
  const { execute, context, settings, language, messages } = pageRequest
  const today = todayOf(pageRequest)
  const month = query.month ?? today.slice(0, 7)
  const days = daysOfMonth(month)
  const filter = filterOf(query)
  const isHome = query.month === undefined && !isFiltered(query)
  const { eventCalendar, eventFacets, eventsPage } = await execute(
    PageMonthDocument,
    { ...days, filter, facets: { ...filter, between: onDays(days) }, next: isHome },
    context,
  )
  const shown = { month, today, query }
  const title = formatMonth(month, language)
  const [prev, next] = neighborMonths(month)
  const coming = eventsPage?.items ?? []
  const isEmpty = eventCalendar.totalCount === 0
  const isOver =
    query.month === undefined && eventCalendar.days.every((day) => day.date < today || day.totalCount === 0)
  const lacksNext = (isEmpty || isOver) && coming.length === 0
  const following = lacksNext ? await eventsAfter(days.to, filter, pageRequest) : ''
  const filters = facetLinks(eventFacets, query, pageRequest)
  const home = homeUrl(language, settings)
  return {
    title,
    hasFiltersBelow: filters !== '' && coming.length > 0,
    indexed: isHome || (!isFiltered(query) && eventCalendar.totalCount > 0),
    neighbors: {
      ...(prev && { prev: home + queryString({ ...query, month: prev }) }),
      ...(next && { next: home + queryString({ ...query, month: next }) }),
    },
    body: html`!${
      coming.length === 0
        ? ''
        : html`<section class="wrap featured" aria-labelledby="coming"><h2 id="coming">${messages.upcomingEvents}</h2>
!${eventCards(coming, pageRequest)}</section>`
    }
<section class="wrap results" aria-labelledby="month">
<div class="toolbar"><h2 id="month">${title}</h2>!${monthLinks(shown, pageRequest)}!${viewLinks(query, pageRequest)}</div>
!${filters}
<div class="main">!${activeFilterLinks(query, eventFacets, pageRequest)}
!${isEmpty ? html`<p>${messages.noEventsInMonth}</p>` : similarNote(eventCalendar, pageRequest)}!${following}
!${monthGrid(eventCalendar.days, shown, pageRequest)}
!${query.month === undefined ? html`<p class="earlier"><a href="${queryString({ ...query, month })}">${messages.wholeMonth}</a></p>` : ''}</div></section>`,
  }
}

async function listView(query: CalendarQuery, pageRequest: PageRequest): Promise<View> {
  const { execute, context, settings, language, messages, page } = pageRequest
  const { date, month, search } = query
  const days = date === undefined ? month && daysOfMonth(month) : { from: date, to: query.to ?? date }
  const filter = { ...filterOf(query), ...(days ? { between: onDays(days) } : { when: 'UPCOMING' as const }) }
  const orderBy = days ? { field: 'START_LOCAL' as const } : undefined
  const { eventsPage, eventFacets } = await execute(PageListDocument, { page, filter, orderBy }, context)
  const { items, total, totalPages } = eventsPage
  if (page > 1 && items.length === 0) throw notFound('event', 'id')
  const words =
    search === undefined ? messages.upcomingEvents : fillPlaceholders(messages.searchResults, { text: search })
  const title = periodOf(query, language)?.label ?? words
  const following = days && total === 0 ? await eventsAfter(days.to, filterOf(query), pageRequest) : ''
  const home = homeUrl(language, settings)
  return {
    title,
    indexed: !isFiltered(query) && total > 0,
    neighbors: {
      ...(page > 1 && { prev: home + queryString(query, page - 1) }),
      ...(page < totalPages && { next: home + queryString(query, page + 1) }),
    },
    body: html`<section class="wrap results" aria-labelledby="coming">
<div class="toolbar"><h2 id="coming">${title}</h2><p>${countedText(messages.eventCount, total, messages)}</p>!${viewLinks(query, pageRequest)}</div>
!${facetLinks(eventFacets, query, pageRequest)}
<div class="main">!${activeFilterLinks(query, eventFacets, pageRequest)}
!${similarNote(eventsPage, pageRequest)}
!${items.length === 0 ? html`<p>${noneText(query, messages)}</p>` : eventCards(items, pageRequest)}!${following}
!${pageLinks({ page, totalPages, url: (to) => calendarHref(query, pageRequest, to) }, pageRequest)}</div></section>`,
  }
}

function noneText(query: CalendarQuery, messages: Messages): string {
  if (query.to !== undefined) return messages.noEventsOnDays
  if (query.date !== undefined) return messages.noEventsOnDay
  if (query.month !== undefined) return messages.noEventsInMonth
  return isFiltered(query) ? messages.noResults : messages.noEvents
}

/** Selects events by the days of their local time, which the pages show. */
const onDays = (days: Pick<DayRange, 'from' | 'to'>): DayRange => ({ ...days, timeZone: 'local', match: 'OVERLAPPING' })

const similarNote = (
  { searchMatch }: { readonly searchMatch?: SearchMatch | null },
  { messages }: PageRequest,
): string => (searchMatch === 'SIMILAR' ? html`<p class="note">${messages.similar}</p>` : '')

function viewLinks(query: CalendarQuery, pageRequest: PageRequest): string {
  const { messages } = pageRequest
  const { date, to: _, ...others } = query
  const month = query.month ?? date?.slice(0, 7)
  const link = (view: CalendarQuery['view'], text: string) => {
    const url = calendarHref({ ...others, view, month }, pageRequest)
    return html`<a href="${url}"!${view === query.view ? ' aria-current="true"' : ''}>${text}</a>`
  }
  return html`<nav class="views" aria-label="${messages.view}">!${link('month', messages.monthView)}!${link('list', messages.listView)}</nav>`
}

async function eventsAfter(day: string, criteria: EventFilter, pageRequest: PageRequest): Promise<string> {
  const filter = { ...criteria, startsLocal: { gt: `${day}T23:59:59` } }
  const variables = { page: 1, perPage: 4, filter }
  const { eventsPage } = await pageRequest.execute(PageEventsDocument, variables, pageRequest.context)
  if (eventsPage.items.length === 0) return ''
  return html`<h3>${pageRequest.messages.followingEvents}</h3>
<ul class="following">!${eventsPage.items.map(
    (event) =>
      html`<li><a href="${event.url}"!${langAttribute(event.languages.tag, pageRequest)}>!${titleWithStateHtml(event, pageRequest)}</a> !${eventTimeHtml(event, pageRequest.language)}</li>`,
  )}</ul>`
}
