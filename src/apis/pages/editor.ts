// Serves the editor, which Vite builds from `editor/`. Its files have a hash in their names, so that browsers may cache them
// forever.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { memoizeOnce } from '../../basics/memoize.ts'
import { accentColorCss } from './accent-color.ts'
import { imageSourcePolicy } from './document.ts'
import { filePath } from './page.ts'

const folder = new URL('../../../editor/dist/', import.meta.url)

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Reads all files at the first request: Vite replaces the folder as a whole. */
const readFiles = memoizeOnce(() => {
  const assets = new URL('assets/', folder)
  return {
    page: readFileSync(new URL('index.html', folder), 'utf8'),
    assets: new Map(readdirSync(assets).map((name) => [name, readFileSync(new URL(name, assets))])),
  }
})

/** The GraphQL documents that the editor sends. */
export function editorDocuments(): string[] {
  const file = new URL('documents.json', folder)
  return existsSync(file) ? Object.values(JSON.parse(readFileSync(file, 'utf8'))) : []
}

export function serveEditor(app: FastifyInstance, settings: Settings): void {
  const languages = [...new Set([settings.defaultLanguage, ...settings.languages])]
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${imageSourcePolicy(settings)} blob: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  const send = (reply: FastifyReply, type: string | undefined, cacheControl: string, body: string | Buffer) =>
    reply
      .type(type ?? 'application/octet-stream')
      .headers({ 'cache-control': cacheControl, 'x-content-type-options': 'nosniff' })
      .send(body)
  app.get<{ Params: { name: string } }>('/edit/assets/:name', (request, reply) => {
    const { name } = request.params
    const body = readFiles().assets.get(name)
    if (body === undefined) return reply.callNotFound()
    return send(reply, types[extname(name)], 'public, max-age=31536000, immutable', body)
  })
  app.get('/edit/theme.css', (_request, reply) =>
    send(reply, types['.css'], 'no-cache', accentColorCss(settings.siteAccentColor)),
  )
  // Paths below are screens of the editor.
  for (const path of ['/edit', '/edit/*']) {
    app.get(path, (_request, reply) =>
      send(
        reply.header('content-security-policy', policy),
        'text/html; charset=utf-8',
        'no-cache',
        readFiles()
          .page.replace('<html', `<html data-languages="${languages.join(' ')}" data-base="${filePath('', settings)}"`)
          .replaceAll('="./', `="${filePath('/edit/', settings)}`),
      ),
    )
  }
}
