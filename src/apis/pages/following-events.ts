import { html } from 'ghtml'
import { type EventFilter, PageEventsDocument } from '../../generated/graphql/graphql.ts'
import { eventTime, langAttribute } from './components.ts'
import { markedTitle } from './event-state.ts'
import type { PageRequest } from './page.ts'

/** The first events after a day. Empty if there are none. */
export async function eventsAfter(day: string, criteria: EventFilter, pageRequest: PageRequest): Promise<string> {
  const filter = { ...criteria, startsLocal: { gt: `${day}T23:59:59` } }
  const variables = { page: 1, perPage: 4, filter }
  const { eventsPage } = await pageRequest.execute(PageEventsDocument, variables, pageRequest.context)
  if (eventsPage.items.length === 0) return ''
  return html`<h3>${pageRequest.messages.followingEvents}</h3>
<ul class="following">!${eventsPage.items.map(
    (event) =>
      html`<li><a href="${event.url}"!${langAttribute(event.languages.tag, pageRequest)}>!${markedTitle(event, pageRequest)}</a> !${eventTime(event, pageRequest.language)}</li>`,
  )}</ul>`
}
