// The pages of venues, organizers, categories and tags, and the paths of all records. Feeds have the same paths.
import { html } from 'ghtml'
import { isDay } from '../../basics/dates/whole-days.ts'
import { notFoundError } from '../../basics/errors.ts'
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
import { listFeedLinks } from './calendar-links.ts'
import {
  addressLines,
  definitionListHtml,
  descriptionLanguage,
  emailLinkHtml,
  escapeHtml,
  langAttribute,
  previewText,
  readLanguageUrls,
  readUpcomingEvents,
  telephoneLinkHtml,
  termLinksHtml,
  translationNoteHtml,
  websiteLinkHtml,
} from './components.ts'
import { createEventPage } from './event.ts'
import { listBreadcrumbs } from './list-links.ts'
import type { Page, PageRequest } from './page.ts'
import { createPostPage, type PostIdOrSlug, postTextHtml, statusNoteHtml } from './post-page.ts'

export async function createCategoryPage({ slug }: { slug: string }, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { category } = await execute(PageCategoryDocument, { slug }, context)
  if (!category) throw notFoundError('category', 'slug')
  const parents = category.parent ? [category.parent] : []
  const around = definitionListHtml([
    [messages.partOf, termLinksHtml(parents)],
    [messages.within, termLinksHtml(category.children.nodes)],
  ])
  return termPage('categories', category, pageRequest, parents, around)
}

async function tagPage({ slug }: { slug: string }, pageRequest: PageRequest): Promise<Page> {
  const { tag } = await pageRequest.execute(PageTagDocument, { slug }, pageRequest.context)
  if (!tag) throw notFoundError('tag', 'slug')
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
    formats: listFeedLinks(icalendarUrl, pageRequest),
    languages: await readLanguageUrls(term, pageRequest),
    breadcrumbs: [...listBreadcrumbs(list, pageRequest), ...parents],
    restPath: `/events/?${list}=${encodeURIComponent(slug)}`,
    body: html`<div class="wrap intro"><h1!${langAttribute(languages.tag, pageRequest)}>${name}</h1>
!${translationNoteHtml(term, pageRequest)}
!${description ? html`<p class="lead"!${langAttribute(descriptionLanguage(term), pageRequest)}>${description}</p>` : ''}
!${around}</div>
!${await readUpcomingEvents({ [list]: [String(databaseId)] }, pageRequest, icalendarUrl)}`,
  }
}

async function venuePage(target: PostIdOrSlug, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { venue } = await execute(PageVenueDocument, target, context)
  if (!venue) throw notFoundError('venue', 'id' in target ? 'id' : 'slug')
  const details = [
    [messages.address, addressLines(venue).map(escapeHtml).join('<br>')],
    [messages.map, mapLink(venue)],
    [messages.phone, telephoneLinkHtml(venue.phone)],
    [messages.website, websiteLinkHtml(venue.website)],
  ] as const
  return namedPostPage('venues', venue, details, pageRequest, `/events/?venue=${venue.databaseId}`)
}

async function organizerPage(target: PostIdOrSlug, pageRequest: PageRequest): Promise<Page> {
  const { execute, context, messages } = pageRequest
  const { organizer } = await execute(PageOrganizerDocument, target, context)
  if (!organizer) throw notFoundError('organizer', 'id' in target ? 'id' : 'slug')
  const details = [
    [messages.phone, telephoneLinkHtml(organizer.phone)],
    [messages.email, emailLinkHtml(organizer.email)],
    [messages.website, websiteLinkHtml(organizer.website)],
  ] as const
  return namedPostPage('organizers', organizer, details, pageRequest)
}

async function namedPostPage(
  list: 'venues' | 'organizers',
  post: PageVenueFragment | PageOrganizerFragment,
  details: Parameters<typeof definitionListHtml>[0],
  pageRequest: PageRequest,
  restPath?: string,
): Promise<Page> {
  const parts = {
    title: post.name,
    header: html`!${statusNoteHtml(post, pageRequest)}!${translationNoteHtml(post, pageRequest)}`,
    aside: post.locked ? '' : definitionListHtml(details),
    breadcrumbs: listBreadcrumbs(list, pageRequest),
    content: () => postTextHtml(post, pageRequest),
    formats: listFeedLinks(post.icalendarUrl, pageRequest),
    restPath,
    edit: { kind: list === 'venues' ? ('venue' as const) : ('organizer' as const), id: post.databaseId },
    footer: await readUpcomingEvents({ [list]: [post.databaseId] }, pageRequest, post.icalendarUrl),
  }
  return createPostPage(post, parts, pageRequest)
}

function mapLink({ coordinates }: PageVenueFragment): string {
  if (!coordinates) return ''
  const { latitude, longitude } = coordinates
  const point = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  const url = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
  return html`<a href="${url}" rel="noopener">${point}</a>`
}

type Render<Target> = (target: Target, pageRequest: PageRequest) => Promise<Page>

export const postPageCreators = {
  event: createEventPage,
  venue: venuePage,
  organizer: organizerPage,
} as const satisfies Readonly<Record<string, Render<PostIdOrSlug>>>

export const recordPageCreators = {
  ...postPageCreators,
  category: createCategoryPage,
  tag: tagPage,
} as const satisfies Readonly<Record<string, Render<{ slug: string }>>>

/** A kind of record that has HTML pages. A kind without an entry in recordPageCreators has none. */
export type KindWithPage = RecordKind & keyof typeof recordPageCreators

const datePath = '/event/:slug/:day(^\\d{4}-\\d{2}-\\d{2}$)'

/** Paths of events and of dates of series; `/2` at the end is the second date of a day. */
export const eventPaths = ['/event/:slug', datePath, `${datePath}/:dayNumber(^[1-9]\\d{0,3}$)`] as const

/** What the path of a page says of a record: the slug, and the day of a date of a series. */
export function readRecordPath(params: unknown) {
  const { slug, day, dayNumber, '*': path = '' } = params as Readonly<Record<string, string | undefined>>
  if (day !== undefined && !isDay(day)) throw notFoundError('event', 'slug')
  return {
    slug: slug ?? path.replace(/\/+$/, '').split('/').at(-1) ?? '',
    ...(day !== undefined && { day, dayNumber: Number(dayNumber ?? 1) }),
  }
}

export const recordPagePaths: Readonly<Record<string, KindWithPage>> = {
  ...Object.fromEntries(eventPaths.map((path) => [path, 'event'] as const)),
  '/venue/:slug': 'venue',
  '/organizer/:slug': 'organizer',
  // Paths of nested categories have several segments: `music/jazz`.
  '/events/category/*': 'category',
  '/tag/:slug': 'tag',
}

/** Paths that legacy sites also have for a record: with a view or a date at the end, such as `/event/jazz/2026-05-01`. */
export const legacyRecordPagePaths: Readonly<Record<string, KindWithPage>> = {
  '/events/tag/:slug': 'tag',
  '/events/tag/:slug/*': 'tag',
  '/tag/:slug/*': 'tag',
  '/event/:slug/*': 'event',
  '/venue/:slug/*': 'venue',
  '/organizer/:slug/*': 'organizer',
}
