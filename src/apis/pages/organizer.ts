import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import { PageOrganizerDocument, type PageOrganizerFragment } from '../../generated/graphql/graphql.ts'
import { listFormats } from './calendar-links.ts'
import { definitionList, email, telephone, translationNote, upcomingEvents, website } from './components.ts'
import { listBreadcrumb } from './list-links.ts'
import type { Page, PageRequest } from './page.ts'
import { type PostTarget, postPage, postText, statusNote } from './post-page.ts'

export async function organizerPage(target: PostTarget, pageRequest: PageRequest): Promise<Page> {
  const { organizer } = await pageRequest.execute(PageOrganizerDocument, target, pageRequest.context)
  if (!organizer) throw notFound('organizer', 'id' in target ? 'id' : 'slug')
  const parts = {
    title: organizer.name,
    header: html`!${statusNote(organizer, pageRequest)}!${translationNote(organizer, pageRequest)}`,
    aside: organizer.locked ? '' : details(organizer, pageRequest),
    breadcrumbs: listBreadcrumb('organizers', pageRequest),
    content: () => postText(organizer, pageRequest),
    formats: listFormats(organizer.icalendarUrl, pageRequest),
    footer: await upcomingEvents({ organizers: [organizer.databaseId] }, pageRequest, organizer.icalendarUrl),
  }
  return postPage(organizer, parts, pageRequest)
}

const details = (organizer: PageOrganizerFragment, pageRequest: PageRequest): string =>
  definitionList([
    [pageRequest.messages.phone, telephone(organizer.phone)],
    [pageRequest.messages.email, email(organizer.email)],
    [pageRequest.messages.website, website(organizer.website)],
  ])
