import { html } from 'ghtml'
import { notAccessible, notFound } from '../../basics/errors.ts'
import { PageEventDocument, type PageEventFragment } from '../../generated/graphql/graphql.ts'
import { escaped, eventTime, langAttribute, placeNames, summary } from '../pages/components.ts'
import { markedTitle, stateNote, stateText } from '../pages/event-state.ts'
import type { PageRequest } from '../pages/page.ts'
import { picture } from '../pages/picture.ts'
import type { PostTarget } from '../pages/post-page.ts'
import type { Widget } from './document.ts'

/** One event: its image, title, dates, places and a summary. */
export async function eventWidget(target: PostTarget, pageRequest: PageRequest): Promise<Widget> {
  const { event } = await pageRequest.execute(PageEventDocument, target, pageRequest.context)
  if (!event) throw notFound('event', 'slug' in target ? 'slug' : 'id')
  // Only its page has the form for the password.
  if (event.locked) throw notAccessible('event')
  return { title: stateText(event, pageRequest) + event.title, url: event.url, body: eventCard(event, pageRequest) }
}

function eventCard(event: PageEventFragment, pageRequest: PageRequest): string {
  const { language } = pageRequest
  const lines = [
    eventTime(event, language),
    escaped(placeNames(event).join(' · ')),
    escaped(summary(event.excerptHtml, event.descriptionHtml)),
  ]
  return html`<article>
!${picture(event.image, pageRequest)}
<h1!${langAttribute(event.languages.tag, pageRequest)}><a href="${event.url}">!${markedTitle(event, pageRequest)}</a></h1>
!${stateNote(event, pageRequest)}
!${lines.filter(Boolean).map((line) => html`<p>!${line}</p>`)}
</article>`
}
