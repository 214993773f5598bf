// The page at the root: what is on, and where the two interfaces are.
import { html } from 'ghtml'
import { homeOf, homes, type Page, type Visit } from './page.ts'
import { comingEvents } from './parts.ts'

export async function landingPage(visit: Visit): Promise<Page> {
  const { settings, language, words } = visit
  return {
    title: settings.siteName,
    description: words.lead,
    url: homeOf(language, settings),
    indexed: true,
    languages: homes(visit),
    body: html`<h1>${settings.siteName}</h1>
<p class="lead">${words.lead} <a href="#developers">${words.developers}</a></p>
!${await comingEvents({}, visit)}
!${developers(visit)}`,
  }
}

function developers({ settings, language, words }: Visit): string {
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
<h2 id="developers">${words.developers}</h2>
<p><strong>GraphQL</strong> ${words.graphql} !${
    graphiql ? html`<a href="${graphql}">${words.tryGraphiql}</a>` : html`<code>${graphql}</code>`
  }</p>
!${
    restEnabled
      ? html`<p><strong>REST</strong> ${words.rest} <a href="${publicUrl}/docs">${words.documentation}</a></p>`
      : ''
  }
<h3>${words.firstRequests}</h3>
<pre tabindex="0"><code>${requests.join('\n')}</code></pre>
</section>`
}
