import { html } from 'ghtml'
import { notFound } from '../errors.ts'
import { PageOrganizerDocument, type PageOrganizerFragment } from '../generated/graphql/graphql.ts'
import { organizerJsonLd } from '../json-ld/json-ld.ts'
import type { Page, Visit } from './page.ts'
import {
  comingEvents,
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

export async function organizerPage(identity: { id: string } | { slug: string }, visit: Visit): Promise<Page> {
  const { organizer } = await visit.execute(PageOrganizerDocument, identity, visit.context)
  if (!organizer) throw notFound('organizer', 'id' in identity ? 'id' : 'slug')
  const indexed = organizer.status === 'PUBLISH' && !organizer.locked
  return {
    title: organizer.name,
    description: summary(organizer.excerptHtml, organizer.descriptionHtml),
    image: organizer.image?.url,
    url: organizer.url,
    indexed,
    languages: await languagesOf(organizer, visit),
    jsonLd: indexed ? organizerJsonLd(organizer) : undefined,
    body: html`<article>
<h1!${langOf(organizer, 'name', visit)}>${organizer.name}</h1>
!${organizer.status === 'PUBLISH' ? '' : html`<p class="note">${visit.words.unpublished}</p>`}!${untranslated(
      organizer,
      visit,
    )}
!${organizer.locked ? passwordForm(visit) : content(organizer, visit)}
</article>
!${await comingEvents({ organizers: [organizer.databaseId] }, visit)}`,
  }
}

const content = (organizer: PageOrganizerFragment, visit: Visit): string =>
  html`!${facts([
    [visit.words.phone, telephone(organizer.phone)],
    [visit.words.email, organizer.email ? html`<a href="mailto:${organizer.email}">${organizer.email}</a>` : ''],
    [visit.words.website, website(organizer.website)],
  ])}
!${picture(organizer.image)}
<div class="text"!${langOf(organizer, 'description', visit)}>!${
    organizer.descriptionHtml || organizer.excerptHtml || ''
  }</div>`
