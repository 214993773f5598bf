// Parts that several kinds of pages have.
import { decodeHTML } from 'entities'
import { html } from 'ghtml'
import { notFound } from '../errors.ts'
import {
  type EventFilter,
  type PageEventCardFragment,
  PageEventsDocument,
  PagePlaceDocument,
  type PageTextFragment,
} from '../generated/graphql/graphql.ts'
import type { Page, Visit } from './page.ts'
import { leafOf, spellOf } from './when.ts'
import { nameOf } from './words.ts'

interface Named {
  readonly name: string
  readonly url: string
}

interface Written {
  /** Of the title or name. */
  readonly language: string
  readonly translations: readonly PageTextFragment[]
}

/** An attribute that says in which language a field is, where that is not the one of the page. */
export function langOf(record: Written, field: 'name' | 'description' | 'excerpt', visit: Visit): string {
  const { language, settings } = visit
  const written = (wanted: string) =>
    record.translations.some((text) => text.language === wanted && text[field] != null)
  const shown =
    field === 'name' ? record.language : ([language, settings.defaultLanguage].find(written) ?? record.language)
  return shown === language ? '' : html` lang="${shown}"`
}

/** Tells that a record was not written in the language of the page. */
export const untranslated = ({ language }: Written, { language: wanted, words }: Visit): string =>
  language === wanted ? '' : html`<p class="note">${words.untranslated(nameOf(language, wanted))}</p>`

/** Address of a record in every language that it is shown in. */
export async function languagesOf(
  record: Written & { readonly id: string; readonly url: string },
  { settings, context, execute }: Visit,
): Promise<Page['languages']> {
  const isOwn = (language: string) =>
    record.translations.some((text) => text.language === language && text.name !== null)
  // Without fallback there are no others.
  const shown = settings.languages.filter((language) => settings.languageFallback || isOwn(language))
  return Promise.all(
    shown.map(async (language) => {
      if (language === context.language) return { language, url: record.url, own: isOwn(language) }
      const { node } = await execute(PagePlaceDocument, { id: record.id }, { ...context, language })
      return { language, url: node?.url ?? record.url, own: isOwn(language) }
    }),
  )
}

/** The coming events that fit, a page of them. Throws notFound for a page past the last. */
export async function comingEvents(filter: EventFilter, visit: Visit): Promise<string> {
  const { execute, context, words, page } = visit
  const variables = { page, filter: { ...filter, when: 'UPCOMING' as const } }
  const { eventsPage } = await execute(PageEventsDocument, variables, context)
  const { items, totalPages } = eventsPage
  if (page > 1 && items.length === 0) throw notFound('event', 'id')
  const link = (to: number, rel: string, text: string) => html`<a href="?page=${to}" rel="${rel}">${text}</a>`
  return html`<section aria-labelledby="coming">
<h2 id="coming">${words.comingEvents}</h2>
!${items.length === 0 ? html`<p>${words.noEvents}</p>` : eventCards(items, visit)}
!${
    totalPages > 1
      ? html`<nav class="pages" aria-label="${words.pages}">!${
          page > 1 ? link(page - 1, 'prev', words.previous) : ''
        }<p>${words.pageOf(page, totalPages)}</p>!${page < totalPages ? link(page + 1, 'next', words.next) : ''}</nav>`
      : ''
  }
</section>`
}

export const eventCards = (events: readonly PageEventCardFragment[], visit: Visit): string =>
  html`<ul class="cards">!${events.map((event) => eventCard(event, visit))}</ul>`

function eventCard(event: PageEventCardFragment, { language }: Visit): string {
  const { day, month, year } = leafOf(event, language)
  const places = event.venues.map(({ name, city }) => (city && !name.includes(city) ? `${name}, ${city}` : name))
  const lang = event.language === language ? '' : html` lang="${event.language}"`
  return html`<li><div class="leaf" aria-hidden="true">${month}<b>${day}</b>${year}</div><div>
<h3!${lang}><a href="${event.url}">${event.title}</a></h3>
<p>${spellOf(event, language)}</p>
!${places.length > 0 ? html`<p>${places.join(' · ')}</p>` : ''}
!${chips(event.categories)}</div></li>`
}

export const chips = (terms: readonly Named[]): string =>
  terms.length === 0
    ? ''
    : html`<ul class="chips">!${terms.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ul>`

/** A list of facts; those whose HTML is empty are left out. */
export function facts(items: readonly (readonly [term: string, details: string])[]): string {
  const given = items.filter(([, details]) => details !== '')
  if (given.length === 0) return ''
  return html`<dl class="facts">!${given.map(([term, details]) => html`<dt>${term}</dt><dd>!${details}</dd>`)}</dl>`
}

export const escaped = (text: string | null | undefined): string => html`${text ?? ''}`

export const picture = (image: { readonly url: string } | null): string =>
  image ? html`<img class="picture" src="${image.url}" alt="">` : ''

/** A link to elsewhere; what is no web address is shown as text. */
export function website(url: string | null): string {
  if (!url) return ''
  const known = URL.parse(url)
  const isWeb = known?.protocol === 'http:' || known?.protocol === 'https:'
  return isWeb ? html`<a href="${url}" rel="noopener">${known.host}</a>` : escaped(url)
}

export const telephone = (phone: string | null): string =>
  phone ? html`<a href="tel:${phone.replace(/[^\d+]/g, '')}">${phone}</a>` : ''

/** Asks for the password of a protected record. */
export const passwordForm = ({ words, password }: Visit): string =>
  html`<p class="note">${words.locked}</p>
!${password === undefined ? '' : html`<p class="note" role="alert">${words.wrongPassword}</p>`}
<form method="post">
<label>${words.password}<input type="password" name="password" required autocomplete="off"></label>
<button>${words.open}</button>
</form>`

/** What is written, without markup, cut to what a preview shows. */
export function summary(...texts: readonly (string | null)[]): string {
  const text = texts.find((candidate) => candidate) ?? ''
  const plain = decodeHTML(text.replace(/<[^<>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length <= 200 ? plain : `${plain.slice(0, 200).replace(/\s+\S*$/, '')}…`
}
