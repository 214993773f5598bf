// The landing page: upcoming events.
import { html } from 'ghtml'
import { listFormats, siteCalendar } from './calendar-links.ts'
import { upcomingEvents } from './components.ts'
import { homeLinks, homeUrl, type Page, type PageRequest } from './page.ts'
import { searchForm } from './search-form.ts'

export async function landingPage(pageRequest: PageRequest): Promise<Page> {
  const { settings, language, messages, search } = pageRequest
  const calendarUrl = siteCalendar(pageRequest)
  return {
    title: search === undefined ? settings.siteName : messages.searchResults(search),
    description: messages.lead,
    url: homeUrl(language, settings),
    indexed: search === undefined,
    languages: homeLinks(pageRequest),
    formats: listFormats(calendarUrl, pageRequest),
    body: html`<div class="hero"><div class="wrap"><h1>${settings.siteName}</h1>
<p class="lead">${messages.lead}</p>
!${searchForm(pageRequest, { search })}</div></div>
!${await upcomingEvents({}, pageRequest, calendarUrl)}`,
    footer: developers(pageRequest),
  }
}

/** For people who write clients. */
function developers({ settings, language, messages }: PageRequest): string {
  const { publicUrl, graphiql, restEnabled, restPrefix, restNamespace } = settings
  const graphql = `${publicUrl}/${language}/graphql`
  const rest = `${publicUrl}/${language}${restPrefix}/${restNamespace}`
  const query = JSON.stringify({
    query: '{ events(first: 3, filter: { when: UPCOMING }) { nodes { title startsLocal timeZone url } } }',
  })
  const requests = [
    `curl ${graphql} -H 'content-type: application/json' -d '${query}'`,
    ...(restEnabled ? [`curl '${rest}/events?per_page=3'`] : []),
  ]
  const links = [
    html`<strong>GraphQL</strong> ${messages.graphql} !${
      graphiql ? html`<a href="${graphql}">${messages.tryGraphiql}</a>` : html`<code>${graphql}</code>`
    }`,
    ...(restEnabled
      ? [html`<strong>REST</strong> ${messages.rest} <a href="${publicUrl}/docs">${messages.documentation}</a>`]
      : []),
  ]
  return html`<details><summary>${messages.firstRequests}</summary>
!${links.map((text) => html`<p>!${text}</p>`)}
<pre tabindex="0"><code>${requests.join('\n')}</code></pre></details>`
}
