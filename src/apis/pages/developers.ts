// The page for developers: the addresses of the APIs, with a request for each.
import { html } from 'ghtml'
import { developersUrl, type Page, type PageRequest } from './page.ts'

export async function createDevelopersPage({ settings, language, messages }: PageRequest): Promise<Page> {
  const { publicUrl, graphiql, restEnabled, restPrefix, restNamespace, languages } = settings
  const graphql = `${publicUrl}/${language}/graphql`
  const rest = `${publicUrl}/${language}${restPrefix}/${restNamespace}`
  const query = JSON.stringify({
    query: '{ events(first: 3, filter: { when: UPCOMING }) { nodes { title startsLocal timeZone url } } }',
  })
  const requests = [
    `curl ${graphql} -H 'content-type: application/json' -d '${query}'`,
    ...(restEnabled ? [`curl '${rest}/events?per_page=3'`] : []),
  ]
  const restLinks = html`<a href="${rest}">${rest}</a> · <a href="${publicUrl}/docs">${messages.documentation}</a>`
  return {
    title: messages.developers,
    url: developersUrl(language, settings),
    indexed: false,
    languages: languages.map((other) => ({ language: other, url: developersUrl(other, settings), own: true })),
    breadcrumbs: [],
    body: html`<div class="wrap intro"><h1>${messages.developers}</h1><div class="text">
<h2>GraphQL</h2>
<p>${messages.graphql}</p>
<p>!${graphiql ? html`<a href="${graphql}">${messages.tryGraphiql}</a> · ` : ''}<code>${graphql}</code></p>
!${restEnabled ? html`<h2>REST</h2><p>${messages.rest}</p><p>!${restLinks}</p>` : ''}
<h2>${messages.firstRequests}</h2>
<pre tabindex="0"><code>${requests.join('\n')}</code></pre></div></div>`,
  }
}
