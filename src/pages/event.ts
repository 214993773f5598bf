import { html } from 'ghtml'
import { notFound } from '../errors.ts'
import { PageEventDocument, type PageEventFragment } from '../generated/graphql/graphql.ts'
import { eventJsonLd } from '../json-ld/json-ld.ts'
import type { Page, Visit } from './page.ts'
import {
  chips,
  escaped,
  eventCards,
  facts,
  langOf,
  languagesOf,
  passwordForm,
  picture,
  summary,
  untranslated,
  website,
} from './parts.ts'
import { spellOf } from './when.ts'

export async function eventPage(identity: { id: string } | { slug: string }, visit: Visit): Promise<Page> {
  const { event } = await visit.execute(PageEventDocument, identity, visit.context)
  if (!event) throw notFound('event', 'id' in identity ? 'id' : 'slug')
  const indexed = event.status === 'PUBLISH' && !event.locked
  return {
    title: event.title,
    description: summary(event.excerptHtml, event.descriptionHtml),
    image: event.image?.url,
    url: event.url,
    indexed,
    languages: await languagesOf(event, visit),
    jsonLd: indexed ? eventJsonLd(event) : undefined,
    body: html`<article>
<h1!${langOf(event, 'name', visit)}>${event.title}</h1>
!${notes(event, visit)}
!${facts(eventFacts(event, visit))}
!${event.locked ? passwordForm(visit) : content(event, visit)}
</article>`,
  }
}

const notes = (event: PageEventFragment, visit: Visit): string =>
  html`!${event.status === 'PUBLISH' ? '' : html`<p class="note">${visit.words.unpublished}</p>`}!${
    event.endsAt < visit.context.now ? html`<p class="note">${visit.words.over}</p>` : ''
  }!${untranslated(event, visit)}`

function eventFacts(event: PageEventFragment, { language, words }: Visit): [string, string][] {
  const spell = html`<time datetime="${event.startsAt.toISOString()}">${spellOf(event, language)}</time>`
  return [
    [words.when, spell],
    [words.where, event.venues.map(venueLine).join('<br>')],
    [words.organizers, event.organizers.map(({ name, url }) => html`<a href="${url}">${name}</a>`).join('<br>')],
    [words.cost, event.cost?.text === 'Free' ? escaped(words.free) : escaped(event.cost?.text)],
    [words.tickets, event.tickets.map(({ name, price, currency }) => html`${name}: ${price} ${currency}`).join('<br>')],
    [words.website, website(event.website)],
    ...event.customFields.map(({ label, value }): [string, string] => [label, escaped(asText(value))]),
    [words.categories, chips(event.categories)],
    [words.tags, chips(event.tags)],
    [words.partOf, event.parent ? html`<a href="${event.parent.url}">${event.parent.title}</a>` : ''],
  ]
}

function venueLine({ name, url, address, zip, city, country }: PageEventFragment['venues'][number]): string {
  const place = [address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ')
  return html`<a href="${url}">${name}</a>!${place === '' ? '' : html`, ${place}`}`
}

const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join(', ') : typeof value === 'object' ? '' : String(value)

const content = (event: PageEventFragment, visit: Visit): string =>
  html`!${picture(event.image)}
<div class="text"!${langOf(event, 'description', visit)}>!${event.descriptionHtml || event.excerptHtml || ''}</div>
!${
    event.children.length === 0
      ? ''
      : html`<section aria-labelledby="parts"><h2 id="parts">${visit.words.parts}</h2>!${eventCards(
          event.children,
          visit,
        )}</section>`
  }`
