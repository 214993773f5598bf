// Serves GraphiQL and the REST documentation: pages with third-party scripts, which this service hosts and which cannot
// contact other hosts.
import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from 'ghtml'
import { memoizeOnce } from '../../basics/memoize.ts'

type Content = string | Buffer

/** The scripts and styles of a developer tool, such as GraphiQL. */
export interface DeveloperToolFiles {
  /** Registers the routes. The files are loaded at the first request. */
  serve(app: FastifyInstance): void
  /** Returns the path of the folder of the files. The path contains a hash of the files, so browsers may cache them forever. */
  base(): Promise<string>
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  ico: 'image/x-icon',
  png: 'image/png',
}

/** Serves the files of a developer tool: GraphiQL or Swagger UI. `read` returns the contents of the files by name. */
export function createToolFiles<Name extends string>(
  tool: string,
  names: readonly Name[],
  read: () => Promise<Readonly<Record<Name, Content>>>,
): DeveloperToolFiles {
  const load = memoizeOnce(async () => {
    const contents = await read()
    return { contents, version: versionOf(names.map((name) => contents[name])) }
  })
  return {
    serve(app) {
      for (const name of names) {
        app.get<{ Params: { version: string } }>(`/${tool}/:version/${name}`, async (request, reply) => {
          const { contents, version } = await load()
          // After an update, a page with an old hash gets the current file, and must not cache it.
          const isCurrent = request.params.version === version
          return reply
            .type(types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
            .header('cache-control', isCurrent ? 'public, max-age=31536000, immutable' : 'no-store')
            .header('x-content-type-options', 'nosniff')
            .send(contents[name])
        })
      }
    },
    base: async () => `/${tool}/${(await load()).version}`,
  }
}

function versionOf(contents: readonly Content[]): string {
  const hash = createHash('sha256')
  for (const content of contents) hash.update(content)
  return hash.digest('base64url').slice(0, 12)
}

export interface DeveloperToolPage {
  readonly title: string
  readonly icon: string
  readonly styles: readonly string[]
  /** Names of the script files, in the order in which they run. */
  readonly scripts: readonly string[]
  /** Settings that the scripts read from the element with the ID `settings`. */
  readonly settings: object
  readonly body: string
  /** Additional directives of the Content-Security-Policy. */
  readonly alsoAllowed?: string
}

// Both tools need inline styles, but no inline scripts.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function sendToolPage(reply: FastifyReply, page: DeveloperToolPage): FastifyReply {
  const { title, icon, styles, scripts, settings, body, alsoAllowed } = page
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-cache',
      'content-security-policy': alsoAllowed ? `${policy}; ${alsoAllowed}` : policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon}">
!${styles.map((path) => html`<link rel="stylesheet" href="${path}">`).join('\n')}
</head>
<body>
!${body}
<script type="application/json" id="settings">!${toScriptJson(settings)}</script>
!${scripts.map((path) => html`<script src="${path}"></script>`).join('\n')}
</body>
</html>
`)
}

/** Returns JSON that is safe inside of a script element. */
export const toScriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
