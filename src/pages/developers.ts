import { html } from 'ghtml'
import type { PageContext } from './page.ts'

/** The addresses of the APIs, with a request for each. */
export function firstRequests({ settings, language, messages }: PageContext): string {
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
