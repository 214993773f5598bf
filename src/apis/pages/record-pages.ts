// The pages of records, and their paths. Feeds of records have the same paths.
import type { PostKind, RecordKind } from '../../kinds.ts'
import { eventPage } from './event.ts'
import { organizerPage, venuePage } from './named-post.ts'
import type { Page, PageRequest } from './page.ts'
import type { PostTarget } from './post-page.ts'
import { categoryPage, tagPage } from './term.ts'

type Render<Target> = (target: Target, pageRequest: PageRequest) => Promise<Page>

export const postPages: Readonly<Record<PostKind, Render<PostTarget>>> = {
  event: eventPage,
  venue: venuePage,
  organizer: organizerPage,
}

export const recordPages: Readonly<Record<RecordKind, Render<{ slug: string }>>> = {
  ...postPages,
  category: categoryPage,
  tag: tagPage,
}

export const recordPaths: Readonly<Record<string, RecordKind>> = {
  '/event/:slug': 'event',
  '/venue/:slug': 'venue',
  '/organizer/:slug': 'organizer',
  // Paths of nested categories have several segments: `music/jazz`.
  '/events/category/*': 'category',
  '/tag/:slug': 'tag',
}

/** Paths with a view or a date, and other words, as legacy sites have them. */
export const legacyRecordPaths: Readonly<Record<string, RecordKind>> = {
  '/events/tag/:slug': 'tag',
  '/events/tag/:slug/*': 'tag',
  '/tag/:slug/*': 'tag',
  '/event/:slug/*': 'event',
  '/venue/:slug/*': 'venue',
  '/organizer/:slug/*': 'organizer',
}
