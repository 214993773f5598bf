import { html } from 'ghtml'
import { notFound } from '../errors.ts'
import { PageVenueDocument, type PageVenueFragment } from '../generated/graphql/graphql.ts'
import { venueJsonLd } from '../json-ld/json-ld.ts'
import type { Page, Visit } from './page.ts'
import {
  comingEvents,
  escaped,
  facts,
  langOf,
  languagesOf,
  passwordForm,
  picture,
  summary,
  telephone,
  untranslated,
  website,
} from './parts.ts'

export async function venuePage(identity: { id: string } | { slug: string }, visit: Visit): Promise<Page> {
  const { venue } = await visit.execute(PageVenueDocument, identity, visit.context)
  if (!venue) throw notFound('venue', 'id' in identity ? 'id' : 'slug')
  const indexed = venue.status === 'PUBLISH' && !venue.locked
  return {
    title: venue.name,
    description: summary(venue.excerptHtml, venue.descriptionHtml),
    image: venue.image?.url,
    url: venue.url,
    indexed,
    languages: await languagesOf(venue, visit),
    jsonLd: indexed ? venueJsonLd(venue) : undefined,
    body: html`<article>
<h1!${langOf(venue, 'name', visit)}>${venue.name}</h1>
!${venue.status === 'PUBLISH' ? '' : html`<p class="note">${visit.words.unpublished}</p>`}!${untranslated(venue, visit)}
!${venue.locked ? passwordForm(visit) : content(venue, visit)}
</article>
!${await comingEvents({ venues: [venue.databaseId] }, visit)}`,
  }
}

const content = (venue: PageVenueFragment, visit: Visit): string =>
  html`!${facts([
    [visit.words.address, addressOf(venue)],
    [visit.words.map, mapLink(venue)],
    [visit.words.phone, telephone(venue.phone)],
    [visit.words.website, website(venue.website)],
  ])}
!${picture(venue.image)}
<div class="text"!${langOf(venue, 'description', visit)}>!${venue.descriptionHtml || venue.excerptHtml || ''}</div>`

const addressOf = ({ address, zip, city, stateProvince, country }: PageVenueFragment): string =>
  [address, [zip, city].filter(Boolean).join(' '), stateProvince, country].filter(Boolean).map(escaped).join('<br>')

function mapLink({ latitude, longitude }: PageVenueFragment): string {
  if (latitude === null || longitude === null) return ''
  const point = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
  return html`<a href="${url}" rel="noopener">${point}</a>`
}
