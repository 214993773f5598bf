// The files of the pages: style sheet, script and logo. Their paths contain a hash, so that browsers may cache them forever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { imageSize } from 'image-size'
import type { Settings } from '../../basics/env.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import { accentColorCss } from './accent-color.ts'

interface File {
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

export interface Logo {
  /** The path of the image in this service, or its URL on another host. */
  readonly url: string
  /** Width and height in pixels; undefined for an image on another host. */
  readonly size: { readonly width: number; readonly height: number } | undefined
}

const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')
const scriptOf = (name: string) =>
  file(name, 'text/javascript; charset=utf-8', readFileSync(new URL(`browser/${name}`, import.meta.url)))

const scripts = {
  suggestions: scriptOf('suggestions.js'),
  editLink: scriptOf('edit-link.js'),
  passkeys: scriptOf('passkeys.js'),
  propose: scriptOf('propose.js'),
}

/** Throws an error that names the setting if the logo cannot be read. */
export const readAssets = memoizeByObject((settings: Settings) => {
  const css = compact(accentColorCss(settings.siteAccentColor) + style)
  const sheet = file('style.css', 'text/css; charset=utf-8', Buffer.from(css))
  const logo = settings.siteLogo === undefined ? undefined : logoOf(settings.siteLogo)
  const files = [sheet, ...Object.values(scripts), ...(logo?.file ? [logo.file] : [])]
  return { stylePath: sheet.path, logo, files, scripts }
})

export function serveAssets(app: FastifyInstance, settings: Settings): void {
  for (const { path, type, body } of readAssets(settings).files) {
    app.get(path, (_request, reply) =>
      reply
        .type(type)
        .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
        // A logo in SVG may contain scripts, which must not run if somebody opens it.
        .headers({ 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" })
        .send(body),
    )
  }
}

function file(name: string, type: string, body: Buffer): File {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  return { path: `/pages/${hash}/${name}`, type, body }
}

/** Removes comments and indentation from a style sheet. */
const compact = (css: string): string => css.replace(/\/\*.*?\*\//gs, '').replace(/\s*\n\s*/g, '\n')

const logoTypes: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
}

function logoOf(setting: string): Logo & { readonly file?: File } {
  if (/^https?:\/\//i.test(setting) && URL.canParse(setting)) return { url: setting, size: undefined }
  try {
    const body = readFileSync(setting)
    const { width, height, type = '' } = imageSize(body)
    const mimeType = logoTypes[type]
    if (mimeType === undefined) throw new Error(`the format ${type} is not supported`)
    const logo = file(`logo.${type}`, mimeType, body)
    return { url: logo.path, size: { width, height }, file: logo }
  } catch (error) {
    const cause = error instanceof Error ? error.message : error
    const types = Object.keys(logoTypes).join(', ')
    throw new Error(
      `SITE_LOGO is ${JSON.stringify(setting)}, which cannot be read: ${cause}; expected the URL or the path of an image (${types})`,
    )
  }
}
