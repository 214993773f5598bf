// GraphiQL from this server: the packaged page of 9 MB, cut once into a small page and files that a browser keeps.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { enumName } from '../graphql/in-context.ts'

type Part = 'js' | 'css' | 'favicon' | 'editorWorkerService' | 'jsonWorker' | 'graphqlWorker'

const files: readonly { part: Part; path: string; type: string }[] = [
  { part: 'js', path: 'graphiql.js', type: 'text/javascript; charset=utf-8' },
  { part: 'css', path: 'graphiql.css', type: 'text/css; charset=utf-8' },
  { part: 'favicon', path: 'favicon.ico', type: 'image/x-icon' },
  { part: 'editorWorkerService', path: 'editor-worker.js', type: 'text/javascript; charset=utf-8' },
  { part: 'jsonWorker', path: 'json-worker.js', type: 'text/javascript; charset=utf-8' },
  { part: 'graphqlWorker', path: 'graphql-worker.js', type: 'text/javascript; charset=utf-8' },
]

let parts: Promise<Record<Part, string | Buffer> & { version: string }> | undefined

/** Loaded when somebody opens the page, not at start. */
function load() {
  parts ??= import('@graphql-yoga/render-graphiql/graphiql').then((source) => ({
    ...source,
    favicon: Buffer.from(source.favicon.replace(/^data:[^,]*,/, ''), 'base64'),
    version: createHash('sha256').update(source.js).digest('base64url').slice(0, 12),
  }))
  return parts
}

/** A browser that follows a link or types the address; a client that sends a query means the API. */
export function wantsGraphiql({ method, headers, query }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html') && !('query' in (query as object))
}

export function graphiqlAssets(app: FastifyInstance): void {
  for (const { part, path, type } of files) {
    app.get<{ Params: { version: string } }>(`/graphiql/:version/${path}`, async (request, reply) => {
      const loaded = await load()
      // An old page after an update gets today's file, and doesn't keep it.
      const current = request.params.version === loaded.version
      return reply
        .type(type)
        .header('cache-control', current ? 'public, max-age=31536000, immutable' : 'no-store')
        .send(loaded[part])
    })
  }
}

const exampleQuery = `# The next events, in the language that @inContext names;
# without it, in that of the address.
query NextEvents @inContext(language: EN) {
  events(first: 5) {
    totalCount
    nodes {
      title
      startsLocal
      timeZone
      venues {
        name
        city
      }
      categories {
        name
      }
      translations {
        language
        name
      }
    }
  }
}
`

/** The page for a language root; `language` is that of its example. */
export async function graphiqlPage(reply: FastifyReply, siteName: string, language: string): Promise<FastifyReply> {
  const { version } = await load()
  const base = `/graphiql/${version}`
  const example = exampleQuery.replace('EN', enumName(language))
  const options = { title: `GraphiQL · ${siteName}`, defaultQuery: example, shouldPersistHeaders: true }
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(options.title)}</title>
<link rel="icon" href="${base}/favicon.ico">
<link rel="stylesheet" href="${base}/graphiql.css">
</head>
<body class="no-focus-outline">
<noscript>GraphiQL needs JavaScript. The API itself answers at this address: send a query.</noscript>
<div id="root"></div>
<script>
const workers = { editorWorkerService: 'editor', json: 'json', graphql: 'graphql' }
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_, label) => \`${base}/\${workers[label]}-worker.js\` }
</script>
<script src="${base}/graphiql.js"></script>
<script>YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), ${inScript(options)})</script>
</body>
</html>
`)
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)

/** JSON that can't end the script it stands in. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
