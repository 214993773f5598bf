// The landing page: a month, or a list of events, with search and filters.

import type { FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import { daysOfMonth } from '../../basics/dates/whole-days.ts'
import { notFoundError } from '../../basics/errors.ts'
import { fillPlaceholders } from '../../basics/fill-placeholders.ts'
import {
  type DayRange,
  type EventFilter,
  PageEventsDocument,
  PageListDocument,
  PageMonthDocument,
  type SearchMatch,
} from '../../generated/graphql/graphql.ts'
import { listFeedLinks, siteCalendarUrl, subscriptionLinksHtml } from './calendar-links.ts'
import {
  type CalendarQuery,
  calendarHref,
  formatCalendarQuery,
  formatFeedQuery,
  isFiltered,
  readCalendarQuery,
  toEventFilter,
} from './calendar-query.ts'
import { eventCardsHtml, langAttribute, paginationHtml, searchFormHtml } from './components.ts'
import { eventTimeHtml, formatMonth } from './date-format.ts'
import { titleWithStateHtml } from './event-state.ts'
import { activeFilterLinksHtml, describePeriod, facetLinksHtml } from './facets.ts'
import { formatCountedText, type Messages } from './messages.ts'
import { adjacentMonthLinksHtml, adjacentMonths, monthGridHtml } from './month.ts'
import { homePageLanguages, homeUrl, type Page, type PageRequest, todayOf } from './page.ts'
import { proposeLinkHtml } from './propose/link.ts'
import { shortcutLinksHtml } from './shortcuts.ts'

export async function createLandingPage(pageRequest: PageRequest, request: FastifyRequest): Promise<Page> {
  const { settings, language, messages, page } = pageRequest
  const query = readCalendarQuery(request, pageRequest)
  const calendarUrl = siteCalendarUrl(pageRequest) + formatFeedQuery(query)
  const view = query.view === 'month' ? await monthView(query, pageRequest) : await listView(query, pageRequest)
  const home = homeUrl(language, settings)
  const parameters = formatCalendarQuery(query, page)
  return {
    title: parameters === '' ? settings.siteName : view.title,
    description: messages.lead,
    url: home + parameters,
    indexed: view.indexed,
    languages: homePageLanguages(pageRequest).map(({ url, ...link }) => ({ ...link, url: url + parameters })),
    formats: listFeedLinks(calendarUrl, pageRequest),
    neighbors: view.neighbors,
    script: 'suggestions',
    edit: { kind: 'start' },
    body: html`<div class="hero"><div class="wrap"><h1>!${parameters === '' ? html`${settings.siteName}` : html`<a href="${home}">${settings.siteName}</a>`}</h1>
<p class="lead">${messages.lead}</p>
!${searchFormHtml(pageRequest, query.search, { month: query.month, date: query.date, to: query.to, ...query.filters })}
!${shortcutLinksHtml(query, view.hasFiltersBelow === true, pageRequest)}</div></div>
!${view.body}
<div class="wrap">!${subscriptionLinksHtml(calendarUrl, pageRequest)}!${proposeLinkHtml(pageRequest)}</div>`,
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
  const filter = toEventFilter(query)
  const isHome = query.month === undefined && !isFiltered(query)
  const { eventCalendar, eventFacets, eventsPage } = await execute(
    PageMonthDocument,
    { ...days, filter, facets: { ...filter, between: onDays(days), occurrences: 'NEXT' as const }, next: isHome },
    context,
  )
  const shown = { month, today, query }
  const title = formatMonth(month, language)
  const [prev, next] = adjacentMonths(month)
  const coming = eventsPage?.items ?? []
  const isEmpty = eventCalendar.totalCount === 0
  const isOver =
    query.month === undefined && eventCalendar.days.every((day) => day.date < today || day.totalCount === 0)
  const lacksNext = (isEmpty || isOver) && coming.length === 0
  const following = lacksNext ? await eventsAfter(days.to, filter, pageRequest) : ''
  const filters = facetLinksHtml(eventFacets, query, pageRequest)
  const home = homeUrl(language, settings)
  return {
    title,
    hasFiltersBelow: filters !== '' && coming.length > 0,
    indexed: isHome || (!isFiltered(query) && eventCalendar.totalCount > 0),
    neighbors: {
      ...(prev && { prev: home + formatCalendarQuery({ ...query, month: prev }) }),
      ...(next && { next: home + formatCalendarQuery({ ...query, month: next }) }),
    },
    body: html`!${
      coming.length === 0
        ? ''
        : html`<section class="wrap featured" aria-labelledby="coming"><h2 id="coming">${messages.upcomingEvents}</h2>
!${eventCardsHtml(coming, pageRequest)}</section>`
    }
<section class="wrap results" aria-labelledby="month">
<div class="toolbar"><h2 id="month">${title}</h2>!${adjacentMonthLinksHtml(shown, pageRequest)}!${viewLinks(query, pageRequest)}</div>
!${filters}
<div class="main">!${activeFilterLinksHtml(query, eventFacets, pageRequest)}
!${isEmpty ? html`<p>${messages.noEventsInMonth}</p>` : similarNote(eventCalendar, pageRequest)}!${following}
!${monthGridHtml(eventCalendar.days, shown, pageRequest)}
!${query.month === undefined ? html`<p class="earlier"><a href="${formatCalendarQuery({ ...query, month })}">${messages.wholeMonth}</a></p>` : ''}</div></section>`,
  }
}

async function listView(query: CalendarQuery, pageRequest: PageRequest): Promise<View> {
  const { execute, context, settings, language, messages, page } = pageRequest
  const { date, month, search } = query
  const days = date === undefined ? month && daysOfMonth(month) : { from: date, to: query.to ?? date }
  const criteria = { ...toEventFilter(query), occurrences: 'NEXT' as const }
  const filter = { ...criteria, ...(days ? { between: onDays(days) } : { when: 'UPCOMING' as const }) }
  const orderBy = days ? { field: 'START_LOCAL' as const } : undefined
  const { eventsPage, eventFacets } = await execute(PageListDocument, { page, filter, orderBy }, context)
  const { items, total, totalPages } = eventsPage
  if (page > 1 && items.length === 0) throw notFoundError('event', 'id')
  const words =
    search === undefined ? messages.upcomingEvents : fillPlaceholders(messages.searchResults, { text: search })
  const title = describePeriod(query, language)?.label ?? words
  const following = days && total === 0 ? await eventsAfter(days.to, toEventFilter(query), pageRequest) : ''
  const home = homeUrl(language, settings)
  return {
    title,
    indexed: !isFiltered(query) && total > 0,
    neighbors: {
      ...(page > 1 && { prev: home + formatCalendarQuery(query, page - 1) }),
      ...(page < totalPages && { next: home + formatCalendarQuery(query, page + 1) }),
    },
    body: html`<section class="wrap results" aria-labelledby="coming">
<div class="toolbar"><h2 id="coming">${title}</h2><p>${formatCountedText(messages.eventCount, total, messages)}</p>!${viewLinks(query, pageRequest)}</div>
!${facetLinksHtml(eventFacets, query, pageRequest)}
<div class="main">!${activeFilterLinksHtml(query, eventFacets, pageRequest)}
!${similarNote(eventsPage, pageRequest)}
!${items.length === 0 ? html`<p>${noneText(query, messages)}</p>` : eventCardsHtml(items, pageRequest)}!${following}
!${paginationHtml({ page, totalPages, url: (to) => calendarHref(query, pageRequest, to) }, pageRequest)}</div></section>`,
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
  const filter = { ...criteria, startsLocal: { gt: `${day}T23:59:59` }, occurrences: 'NEXT' as const }
  const variables = { page: 1, perPage: 4, filter }
  const { eventsPage } = await pageRequest.execute(PageEventsDocument, variables, pageRequest.context)
  if (eventsPage.items.length === 0) return ''
  return html`<h3>${pageRequest.messages.followingEvents}</h3>
<ul class="following">!${eventsPage.items.map(
    (event) =>
      html`<li><a href="${event.url}"!${langAttribute(event.languages.tag, pageRequest)}>!${titleWithStateHtml(event, pageRequest)}</a> !${eventTimeHtml(event, pageRequest.language)}</li>`,
  )}</ul>`
}
