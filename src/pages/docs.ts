// The documentation at /docs: Swagger UI on /doc, with the GraphQL operations that serve each route beside it.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../env.ts'
import { sendTool, toolFiles } from '../http/tool-page.ts'

const packaged = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'] as const
const own = ['docs.js', 'docs.css'] as const

const files = toolFiles('docs', [...packaged, ...own], async () => {
  // The package tells its entry only.
  const folder = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))
  const urls = [
    ...packaged.map((name) => [name, new URL(name, folder)] as const),
    ...own.map((name) => [name, new URL(`browser/${name}`, import.meta.url)] as const),
  ]
  const contents = urls.map(async ([name, url]) => [name, await readFile(url)] as const)
  return Object.fromEntries(await Promise.all(contents)) as Record<(typeof urls)[number][0], Buffer>
})

export function docsPlugin(app: FastifyInstance, settings: Settings): void {
  const { siteName, publicUrl, restPrefix, restNamespace, graphiql } = settings
  files.serve(app)
  app.get('/docs', async (_request, reply) => {
    const base = await files.base()
    return sendTool(reply, {
      title: `Documentation · ${siteName}`,
      icon: `${base}/favicon-32x32.png`,
      styles: [`${base}/swagger-ui.css`, `${base}/docs.css`],
      scripts: [`${base}/swagger-ui-bundle.js`, `${base}/docs.js`],
      settings: { publicUrl, rest: `${restPrefix}/${restNamespace}/`, graphiql },
      body: html`<header class="site">
<nav aria-label="Site">
<a href="/">${siteName}</a>
!${graphiql ? '<a href="/graphql">GraphiQL</a>' : ''}
<a href="${restPrefix}/${restNamespace}/doc">OpenAPI</a>
</nav>
</header>
<noscript><p>This page needs JavaScript. It shows what <a href="${restPrefix}/${restNamespace}/doc">the OpenAPI document</a> says.</p></noscript>
<div id="root"></div>`,
    })
  })
}
