import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import { PageVenueDocument, type PageVenueFragment } from '../../generated/graphql/graphql.ts'
import { listFormats } from './calendar-links.ts'
import { definitionList, escaped, telephone, translationNote, upcomingEvents, website } from './components.ts'
import { listBreadcrumb } from './list-links.ts'
import type { Page, PageRequest } from './page.ts'
import { type PostTarget, postPage, postText, statusNote } from './post-page.ts'

export async function venuePage(target: PostTarget, pageRequest: PageRequest): Promise<Page> {
  const { venue } = await pageRequest.execute(PageVenueDocument, target, pageRequest.context)
  if (!venue) throw notFound('venue', 'id' in target ? 'id' : 'slug')
  const parts = {
    title: venue.name,
    header: html`!${statusNote(venue, pageRequest)}!${translationNote(venue, pageRequest)}`,
    aside: venue.locked ? '' : details(venue, pageRequest),
    breadcrumbs: listBreadcrumb('venues', pageRequest),
    content: () => postText(venue, pageRequest),
    formats: listFormats(venue.icalendarUrl, pageRequest),
    restPath: `/events/?venue=${venue.databaseId}`,
    footer: await upcomingEvents({ venues: [venue.databaseId] }, pageRequest, venue.icalendarUrl),
  }
  return postPage(venue, parts, pageRequest)
}

const details = (venue: PageVenueFragment, pageRequest: PageRequest): string =>
  definitionList([
    [pageRequest.messages.address, addressOf(venue)],
    [pageRequest.messages.map, mapLink(venue)],
    [pageRequest.messages.phone, telephone(venue.phone)],
    [pageRequest.messages.website, website(venue.website)],
  ])

const addressOf = ({ address, zip, city, stateProvince, country }: PageVenueFragment): string =>
  [address, [zip, city].filter(Boolean).join(' '), stateProvince, country].filter(Boolean).map(escaped).join('<br>')

function mapLink({ coordinates }: PageVenueFragment): string {
  if (!coordinates) return ''
  const { latitude, longitude } = coordinates
  const point = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
  return html`<a href="${url}" rel="noopener">${point}</a>`
}
