// The landing page: upcoming events, and links to the APIs.
import { html } from 'ghtml'
import { listFormats, siteCalendar } from './calendar-links.ts'
import { upcomingEvents } from './components.ts'
import { homeLinks, homeUrl, type Page, type PageRequest } from './page.ts'

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
    body: html`<h1>${settings.siteName}</h1>
<p class="lead">${messages.lead} <a href="#developers">${messages.developers}</a></p>
!${searchForm(pageRequest)}
!${await upcomingEvents({}, pageRequest, calendarUrl)}
!${developers(pageRequest)}`,
  }
}

const searchForm = ({ messages, search }: PageRequest): string =>
  html`<form class="search" role="search">
<label for="search">${messages.search}</label>
<input type="search" id="search" name="search" maxlength="200" value="${search ?? ''}">
<button>${messages.find}</button>
</form>`

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
  return html`<section aria-labelledby="developers">
<h2 id="developers">${messages.developers}</h2>
<p><strong>GraphQL</strong> ${messages.graphql} !${
    graphiql ? html`<a href="${graphql}">${messages.tryGraphiql}</a>` : html`<code>${graphql}</code>`
  }</p>
!${
    restEnabled
      ? html`<p><strong>REST</strong> ${messages.rest} <a href="${publicUrl}/docs">${messages.documentation}</a></p>`
      : ''
  }
<h3>${messages.firstRequests}</h3>
<pre tabindex="0"><code>${requests.join('\n')}</code></pre>
</section>`
}
