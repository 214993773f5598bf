// The pages of venues, organizers, categories and tags, and the paths of all records. Feeds have the same paths.
import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import {
  PageCategoryDocument,
  PageOrganizerDocument,
  type PageOrganizerFragment,
  PageTagDocument,
  type PageTermFragment,
  PageVenueDocument,
  type PageVenueFragment,
} from '../../generated/graphql/graphql.ts'
import type { RecordKind } from '../../kinds.ts'
import { listFormats } from './calendar-links.ts'
import {
  addressParts,
  chips,
  definitionList,
  descriptionTag,
  emailLink,
  escaped,
  langAttribute,
  languageLinks,
  previewText,
  telephoneLink,
  translationNote,
  upcomingEvents,
  websiteLink,
} from './components.ts'
import { eventPage } from './event.ts'
import { listBreadcrumb } from './list-links.ts'
import type { Page, PageRequest } from './page.ts'
import { type PostTarget, postPage, postText, statusNote } from './post-page.ts'

export async function categoryPage({ slug }: { slug: string }, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { category } = await execute(PageCategoryDocument, { slug }, context)
  if (!category) throw notFound('category', 'slug')
  const parents = category.parent ? [category.parent] : []
  const around = definitionList([
    [messages.partOf, chips(parents)],
    [messages.within, chips(category.children.nodes)],
  ])
  return termPage('categories', category, pageRequest, parents, around)
}

async function tagPage({ slug }: { slug: string }, pageRequest: PageRequest): Promise<Page> {
  const { tag } = await pageRequest.execute(PageTagDocument, { slug }, pageRequest.context)
  if (!tag) throw notFound('tag', 'slug')
  return termPage('tags', tag, pageRequest)
}

async function termPage(
  list: 'categories' | 'tags',
  term: PageTermFragment,
  pageRequest: PageRequest,
  parents: NonNullable<Page['breadcrumbs']> = [],
  around = '',
): Promise<Page> {
  const { databaseId, slug, name, description, url, icalendarUrl, languages } = term
  return {
    title: name,
    description: previewText(description),
    url,
    indexed: true,
    formats: listFormats(icalendarUrl, pageRequest),
    languages: await languageLinks(term, pageRequest),
    breadcrumbs: [...listBreadcrumb(list, pageRequest), ...parents],
    restPath: `/events/?${list}=${encodeURIComponent(slug)}`,
    body: html`<div class="wrap intro"><h1!${langAttribute(languages.tag, pageRequest)}>${name}</h1>
!${translationNote(term, pageRequest)}
!${description ? html`<p class="lead"!${langAttribute(descriptionTag(term), pageRequest)}>${description}</p>` : ''}
!${around}</div>
!${await upcomingEvents({ [list]: [String(databaseId)] }, pageRequest, icalendarUrl)}`,
  }
}

async function venuePage(target: PostTarget, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { venue } = await execute(PageVenueDocument, target, context)
  if (!venue) throw notFound('venue', 'id' in target ? 'id' : 'slug')
  const details = [
    [messages.address, addressParts(venue).map(escaped).join('<br>')],
    [messages.map, mapLink(venue)],
    [messages.phone, telephoneLink(venue.phone)],
    [messages.website, websiteLink(venue.website)],
  ] as const
  return namedPostPage('venues', venue, details, pageRequest, `/events/?venue=${venue.databaseId}`)
}

async function organizerPage(target: PostTarget, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { organizer } = await execute(PageOrganizerDocument, target, context)
  if (!organizer) throw notFound('organizer', 'id' in target ? 'id' : 'slug')
  const details = [
    [messages.phone, telephoneLink(organizer.phone)],
    [messages.email, emailLink(organizer.email)],
    [messages.website, websiteLink(organizer.website)],
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

type Render<Target> = (target: Target, pageRequest: PageRequest) => Promise<Page>

export const postPages = {
  event: eventPage,
  venue: venuePage,
  organizer: organizerPage,
} as const satisfies Readonly<Record<string, Render<PostTarget>>>

export const recordPages = {
  ...postPages,
  category: categoryPage,
  tag: tagPage,
} as const satisfies Readonly<Record<string, Render<{ slug: string }>>>

/** A new kind of record has no page at first. */
export type PageKind = RecordKind & keyof typeof recordPages

export const recordPaths: Readonly<Record<string, PageKind>> = {
  '/event/:slug': 'event',
  '/venue/:slug': 'venue',
  '/organizer/:slug': 'organizer',
  // Paths of nested categories have several segments: `music/jazz`.
  '/events/category/*': 'category',
  '/tag/:slug': 'tag',
}

/** Paths with a view or a date, and other words, as legacy sites have them. */
export const legacyRecordPaths: Readonly<Record<string, PageKind>> = {
  '/events/tag/:slug': 'tag',
  '/events/tag/:slug/*': 'tag',
  '/tag/:slug/*': 'tag',
  '/event/:slug/*': 'event',
  '/venue/:slug/*': 'venue',
  '/organizer/:slug/*': 'organizer',
}
