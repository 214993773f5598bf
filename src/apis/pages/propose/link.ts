import { html } from 'ghtml'
import { filePath, type PageContext } from '../page.ts'

/** Returns a link to the form for a correction of the event, or for a new event; empty if the site accepts no proposals. */
export function proposeLinkHtml(
  { settings, language, messages }: PageContext,
  event?: { readonly databaseId: number; readonly locked: boolean; readonly status: string },
): string {
  if (!settings.proposals || event?.locked || (event && event.status !== 'PUBLISHED')) return ''
  const [text, query] = event
    ? [messages.proposals.proposeChange, `?event=${event.databaseId}`]
    : [messages.proposals.proposeEvent, '']
  return html`<p><a href="${filePath(`/${language}/propose${query}`, settings)}" rel="nofollow">${text}</a></p>`
}
