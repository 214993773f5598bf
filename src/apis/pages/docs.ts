// The documentation at /docs: Swagger UI for /doc, with the GraphQL operations of each route.
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'
import { createToolFiles, sendToolPage } from '../../service/http/tool-page.ts'

const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png'] as const
const ownFiles = ['docs.js', 'docs.css'] as const

const files = createToolFiles('docs', [...swaggerFiles, ...ownFiles], async () => {
  // The package exports only its entry, so the path of its files is derived from it.
  const folder = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))
  const urls = [
    ...swaggerFiles.map((name) => [name, new URL(name, folder)] as const),
    ...ownFiles.map((name) => [name, new URL(`browser/${name}`, import.meta.url)] as const),
  ]
  const contents = urls.map(async ([name, url]) => [name, await readFile(url)] as const)
  return Object.fromEntries(await Promise.all(contents)) as Record<(typeof urls)[number][0], Buffer>
})

export function docsPlugin(app: FastifyInstance, settings: Settings): void {
  const { siteName, publicUrl, restPrefix, restNamespace, graphiql } = settings
  files.serve(app)
  app.get('/docs', async (_request, reply) => {
    const base = await files.base()
    return sendToolPage(reply, {
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
<noscript><p>This page needs JavaScript. The <a href="${restPrefix}/${restNamespace}/doc">OpenAPI document</a> has the same content.</p></noscript>
<div id="root"></div>`,
    })
  })
}
