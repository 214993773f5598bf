// HTML components that several pages share.

import { html } from 'ghtml'
import { mailtoUrl, telephoneUrl } from '../../basics/contact-links.ts'
import { notFoundError } from '../../basics/errors.ts'
import { fillPlaceholders } from '../../basics/fill-placeholders.ts'
import { languageCode, languageOfCode } from '../../basics/language.ts'
import { htmlToLine } from '../../basics/strip-tags.ts'
import {
  type EventFilter,
  type PageEventCardFragment,
  PageEventsDocument,
  PageRecordUrlDocument,
  type PageTranslationsFragment,
} from '../../generated/graphql/graphql.ts'
import { subscriptionLinksHtml } from './calendar-links.ts'
import { eventTimeHtml, startDateParts } from './date-format.ts'
import { attendanceLabel, formatPreviousStart, titleWithStateHtml } from './event-state.ts'
import { languageName, textDirectionOf } from './messages.ts'
import {
  filePath,
  formatQueryString,
  homeUrl,
  type Page,
  type PageContext,
  type PageRequest,
  suggestionsPath,
} from './page.ts'
import { cardPictureHtml } from './picture.ts'
import { otherDatesHtml } from './series.ts'

interface Link {
  readonly name: string
  readonly url: string
}

/** The attribute `lang` for a text that is not in the language of the page, and `dir` if its direction is another one. */
export function langAttribute(tag: string, { language }: Pick<PageContext, 'language'>): string {
  if (tag === language || tag === '') return ''
  const direction = textDirectionOf(tag)
  return html` lang="${tag}"!${direction === textDirectionOf(language) ? '' : html` dir="${direction}"`}`
}

/** Returns the language tag of the description, for the attribute `lang`. */
export const descriptionLanguage = ({
  languages: { tag, description },
}: Pick<PageTranslationsFragment, 'languages'>): string => (description === null ? tag : languageOfCode(description))

/** Returns a note as HTML if the record is not translated into the language of the page; otherwise an empty text. */
export const translationNoteHtml = (
  { languages: { tag } }: PageTranslationsFragment,
  { language, messages }: PageRequest,
): string =>
  tag === language
    ? ''
    : html`<p class="note">${fillPlaceholders(messages.untranslated, { original: languageName(tag, language) })}</p>`

/** Reads the URL of the record's page in each language in which the record has a page. */
export async function readLanguageUrls(
  record: PageTranslationsFragment & { readonly url: string },
  { settings, context, execute }: PageRequest,
): Promise<Page['languages']> {
  const isOwn = (language: string) =>
    record.translations.some((text) => text.language === languageCode(language) && text.name !== null)
  // Without LANGUAGE_FALLBACK, a record has pages only in the languages into which it is translated.
  const languages = settings.languages.filter((language) => settings.languageFallback || isOwn(language))
  return Promise.all(
    languages.map(async (language) => {
      if (language === context.language) return { language, url: record.url, own: isOwn(language) }
      const { node } = await execute(PageRecordUrlDocument, { id: record.id }, { ...context, language })
      return { language, url: node?.url ?? record.url, own: isOwn(language) }
    }),
  )
}

/**
 * Renders one page of the upcoming events that match the filter. Throws notFoundError if the page number is too large.
 */
export async function readUpcomingEvents(
  filter: EventFilter,
  pageRequest: PageRequest,
  calendarUrl: string | null,
): Promise<string> {
  const { execute, context, messages, page, search } = pageRequest
  const variables = { page, filter: { ...filter, search, when: 'UPCOMING' as const, occurrences: 'NEXT' as const } }
  const { eventsPage } = await execute(PageEventsDocument, variables, context)
  const { items, totalPages } = eventsPage
  if (page > 1 && items.length === 0) throw notFoundError('event', 'id')
  const url = (to: number) => formatQueryString({ search, page: to })
  return html`<section class="wrap" aria-labelledby="coming">
<h2 id="coming">${search === undefined ? messages.upcomingEvents : fillPlaceholders(messages.searchResults, { text: search })}</h2>
!${items.length === 0 ? html`<p>${search === undefined ? messages.noEvents : messages.noResults}</p>` : eventCardsHtml(items, pageRequest)}
!${paginationHtml({ page, totalPages, url }, pageRequest)}
!${calendarUrl === null ? '' : subscriptionLinksHtml(calendarUrl, pageRequest)}</section>`
}

interface Pages {
  readonly page: number
  readonly totalPages: number
  url(page: number): string
  /** The attribute `target` of the links. Default: the target of the document. */
  readonly target?: string
}

/** Returns links to the previous and the next page of a list as HTML; empty if the list has one page. */
export function paginationHtml({ page, totalPages, url, target }: Pages, { messages }: PageContext): string {
  if (totalPages <= 1) return ''
  const link = (to: number, rel: string, text: string) =>
    html`<a href="${url(to)}" rel="${rel}"!${target === undefined ? '' : html` target="${target}"`}>${text}</a>`
  return html`<nav class="pages" aria-label="${messages.pages}">!${
    page > 1 ? link(page - 1, 'prev', messages.previous) : ''
  }<p>${fillPlaceholders(messages.pageOf, { page, pages: totalPages })}</p>!${page < totalPages ? link(page + 1, 'next', messages.next) : ''}</nav>`
}

/** Returns the next events of the site as HTML, for pages that have no events, such as error pages. */
export async function nextEventsHtml({ execute, context, ...page }: NextEventsRequest): Promise<string> {
  const variables = { page: 1, perPage: 4, filter: { when: 'UPCOMING' as const, occurrences: 'NEXT' as const } }
  const { eventsPage } = await execute(PageEventsDocument, variables, context)
  if (eventsPage.items.length === 0) return ''
  return html`<section class="wrap" aria-labelledby="coming"><h2 id="coming">${page.messages.upcomingEvents}</h2>
!${eventCardsHtml(eventsPage.items, page)}</section>`
}

type NextEventsRequest = PageContext & Pick<PageRequest, 'execute' | 'context'>

export const eventCardsHtml = (events: readonly PageEventCardFragment[], pageRequest: PageContext): string =>
  html`<ul class="cards">!${events.map((event) => eventCard(event, pageRequest))}</ul>`

function eventCard(event: PageEventCardFragment, pageRequest: PageContext): string {
  const { language } = pageRequest
  const { day, month, year } = startDateParts(event, language)
  const before = formatPreviousStart(event, pageRequest)
  const places = venueNames(event)
  return html`<li><div class="media">!${cardPictureHtml(event.image, pageRequest)}<div class="leaf" aria-hidden="true">${month}<b>${day}</b>${year}</div></div><div>
<h3!${langAttribute(event.languages.tag, pageRequest)}><a href="${event.url}">!${titleWithStateHtml(event, pageRequest)}</a></h3>!${attendanceLabel(event, pageRequest)}
<p>!${eventTimeHtml(event, language)}</p>!${before && html`<p>!${before}</p>`}
!${places.length > 0 ? html`<p>${places.join(' · ')}</p>` : ''}!${otherDatesHtml(event, pageRequest)}
!${termLinksHtml(event.categories)}</div></li>`
}

/** Returns the names of the event's venues with their cities, such as `Hall, Turin`. */
export const venueNames = ({ venues }: { venues: readonly { name: string; city: string | null }[] }): string[] =>
  venues.map(({ name, city }) => (city && !name.includes(city) ? `${name}, ${city}` : name))

interface Address {
  readonly address: string | null
  readonly zip: string | null
  readonly city: string | null
  readonly stateProvince?: string | null
  readonly country: string | null
}

/** Returns the non-empty lines of a postal address. */
export const addressLines = ({ address, zip, city, stateProvince, country }: Address): string[] =>
  [address, [zip, city].filter(Boolean).join(' '), stateProvince, country].flatMap((part) => part || [])

export const termLinksHtml = (terms: readonly Link[]): string =>
  terms.length === 0
    ? ''
    : html`<ul class="chips">!${terms.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ul>`

/** Returns a definition list as HTML. Leaves out entries without details. */
export function definitionListHtml(items: readonly (readonly [term: string, details: string])[]): string {
  const entries = items.filter(([, details]) => details !== '')
  if (entries.length === 0) return ''
  return html`<dl class="facts">!${entries.map(([term, details]) => html`<dt>${term}</dt><dd>!${details}</dd>`)}</dl>`
}

export const escapeHtml = (text: string | null | undefined): string => html`${text ?? ''}`

/** Returns a link to a website, or only text for a URL whose scheme is neither http nor https. */
export function websiteLinkHtml(url: string | null): string {
  if (!url) return ''
  const parsed = URL.parse(url)
  const isWeb = parsed?.protocol === 'http:' || parsed?.protocol === 'https:'
  return isWeb ? html`<a href="${url}" rel="noopener">${parsed.host}</a>` : escapeHtml(url)
}

const contact = (url: string, text: string | null): string =>
  url ? html`<a href="${url}">${text}</a>` : escapeHtml(text)

export const telephoneLinkHtml = (phone: string | null): string => contact(telephoneUrl(phone ?? ''), phone)

export const emailLinkHtml = (address: string | null): string => contact(mailtoUrl(address ?? ''), address)

/** Returns the form in which visitors enter the password of a protected record. */
export const passwordFormHtml = ({ messages, password }: PageRequest): string =>
  html`<p class="note">${messages.locked}</p>
!${password === undefined ? '' : html`<p class="note" role="alert">${messages.wrongPassword}</p>`}
<form method="post">
<label>${messages.password}<input type="password" name="password" required autocomplete="off"></label>
<button>${messages.open}</button>
</form>`

/** Returns the first non-empty HTML text as plain text of at most 200 characters, for previews of the page. */
export function previewText(...texts: readonly (string | null)[]): string {
  const text = texts.find((candidate) => candidate) ?? ''
  const plain = htmlToLine(text)
  return plain.length <= 200 ? plain : `${plain.slice(0, 200).replace(/\s+\S*$/, '')}…`
}

/** Returns the search form. `others` are query parameters that the form sends along. */
export function searchFormHtml(
  { settings, language, messages }: PageContext,
  search = '',
  others: Readonly<Record<string, string | undefined>> = {},
): string {
  const hidden = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  )
  return html`<form class="search" role="search" action="${homeUrl(language, settings)}">
<label for="search">${messages.search}</label>
<input type="search" id="search" name="search" maxlength="200" value="${search}" data-suggestions="${filePath(suggestionsPath(language), settings)}">!${hidden}
<button>${messages.find}</button>
</form>`
}
