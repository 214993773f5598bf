// The pages of venues and organizers.
import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import {
  PageOrganizerDocument,
  type PageOrganizerFragment,
  PageVenueDocument,
  type PageVenueFragment,
} from '../../generated/graphql/graphql.ts'
import { listFormats } from './calendar-links.ts'
import {
  addressParts,
  definitionList,
  email,
  escaped,
  telephone,
  translationNote,
  upcomingEvents,
  website,
} from './components.ts'
import { listBreadcrumb } from './list-links.ts'
import type { Page, PageRequest } from './page.ts'
import { type PostTarget, postPage, postText, statusNote } from './post-page.ts'

export async function venuePage(target: PostTarget, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { venue } = await execute(PageVenueDocument, target, context)
  if (!venue) throw notFound('venue', 'id' in target ? 'id' : 'slug')
  const details = [
    [messages.address, addressParts(venue).map(escaped).join('<br>')],
    [messages.map, mapLink(venue)],
    [messages.phone, telephone(venue.phone)],
    [messages.website, website(venue.website)],
  ] as const
  return namedPostPage('venues', venue, details, pageRequest, `/events/?venue=${venue.databaseId}`)
}

export async function organizerPage(target: PostTarget, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { organizer } = await execute(PageOrganizerDocument, target, context)
  if (!organizer) throw notFound('organizer', 'id' in target ? 'id' : 'slug')
  const details = [
    [messages.phone, telephone(organizer.phone)],
    [messages.email, email(organizer.email)],
    [messages.website, website(organizer.website)],
  ] as const
  return namedPostPage('organizers', organizer, details, pageRequest)
}

async function namedPostPage(
  list: 'venues' | 'organizers',
  post: PageVenueFragment | PageOrganizerFragment,
  details: Parameters<typeof definitionList>[0],
  pageRequest: PageRequest,
  restPath?: string,
): Promise<Page> {
  const parts = {
    title: post.name,
    header: html`!${statusNote(post, pageRequest)}!${translationNote(post, pageRequest)}`,
    aside: post.locked ? '' : definitionList(details),
    breadcrumbs: listBreadcrumb(list, pageRequest),
    content: () => postText(post, pageRequest),
    formats: listFormats(post.icalendarUrl, pageRequest),
    restPath,
    footer: await upcomingEvents({ [list]: [post.databaseId] }, pageRequest, post.icalendarUrl),
  }
  return postPage(post, parts, pageRequest)
}

function mapLink({ coordinates }: PageVenueFragment): string {
  if (!coordinates) return ''
  const { latitude, longitude } = coordinates
  const point = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
  return html`<a href="${url}" rel="noopener">${point}</a>`
}
