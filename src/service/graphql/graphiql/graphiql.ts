// Serves GraphiQL. Splits the page of the npm package, which has 9 MB, into a small page and files that browsers cache.
import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../../../basics/env.ts'
import { prefersHtml } from '../../http/accepted-type.ts'
import { createToolFiles, sendToolPage } from '../../http/tool-page.ts'
import { exampleTabs } from './tabs.ts'

const names = [
  'graphiql.js',
  'graphiql.css',
  'favicon.ico',
  'start.js',
  'start.css',
  'editor-worker.js',
  'json-worker.js',
  'graphql-worker.js',
] as const

export const graphiqlFiles = createToolFiles('graphiql', names, async () => {
  const [source, script, style] = await Promise.all([
    import('@graphql-yoga/render-graphiql/graphiql'),
    readFile(new URL('browser/graphiql.js', import.meta.url)),
    readFile(new URL('browser/graphiql.css', import.meta.url)),
  ])
  return {
    'graphiql.js': source.js,
    'graphiql.css': source.css,
    'favicon.ico': Buffer.from(source.favicon.replace(/^data:[^,]*,/, ''), 'base64'),
    'start.js': script,
    'start.css': style,
    'editor-worker.js': source.editorWorkerService,
    'json-worker.js': source.jsonWorker,
    'graphql-worker.js': source.graphqlWorker,
  }
})

/** Whether to respond with GraphiQL, because a browser opens the URL as a page. */
export const wantsGraphiql = ({ method, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && accept.includes('text/html') && prefersHtml(accept)

/** Sends the GraphiQL page, with examples in `language`. */
export async function sendGraphiql(
  reply: FastifyReply,
  { siteName, languages }: Settings,
  language: string,
  now: Date,
): Promise<FastifyReply> {
  const base = await graphiqlFiles.base()
  return sendToolPage(reply, {
    title: `GraphiQL · ${siteName}`,
    icon: `${base}/favicon.ico`,
    styles: [`${base}/graphiql.css`, `${base}/start.css`],
    scripts: [`${base}/graphiql.js`, `${base}/start.js`],
    // GraphiQL inserts the title as HTML.
    settings: { base, title: html`GraphiQL · ${siteName}`, tabs: exampleTabs(language, languages, now) },
    body: html`<noscript>GraphiQL requires JavaScript. The GraphQL API at this URL also accepts queries by GET and POST.</noscript>
<main id="root"></main>`,
    alsoAllowed: "font-src data:; worker-src 'self'",
  })
}
