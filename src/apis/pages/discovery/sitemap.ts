// The sitemap of the site: one file, or an index of parts above the limits of the protocol (sitemaps.org).
import { setImmediate } from 'node:timers/promises'
import { DomainError } from '../../../basics/errors.ts'
import { languageOfCode } from '../../../basics/language.ts'
import { escapeXml } from '../../../basics/xml.ts'
import {
  type SitemapKind,
  SitemapPagesDocument,
  type SitemapPagesQuery,
  SitemapPartsDocument,
  type SitemapPartsQuery,
} from '../../../generated/graphql/graphql.ts'
import type { Context } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { listPageUrl, servedListNames } from '../list-links.ts'
import { homeUrl } from '../page.ts'

/** Limits of one sitemap file (sitemaps.org). */
const [maxUrls, maxBytes] = [50_000, 50_000_000]

export interface SitemapRequest {
  readonly context: Context
  readonly execute: Execute
}

type Part = SitemapPartsQuery['sitemapParts'][number]
type Page = SitemapPagesQuery['sitemapPages'][number]
type Alternate = Pick<Page, 'url'> & { readonly language: string }

/** Returns the sitemap with all pages, or an index of its parts if the pages exceed the limits of one file. */
export async function createSitemap(request: SitemapRequest): Promise<Buffer> {
  const { sitemapParts: parts } = await request.execute(SitemapPartsDocument, {}, request.context)
  const { settings } = request.context
  const ownPages = settings.languages.length * (1 + servedListNames(settings).length)
  const urls = parts.reduce((sum, { pages }) => sum + pages, ownPages)
  const chunks = urls > maxUrls ? undefined : await urlsOfParts(parts, request)
  return chunks ? urlset(chunks) : sitemapIndex(parts, request.context)
}

/** Returns the <url> elements of all pages; undefined if they are too long for one file. */
async function urlsOfParts(parts: readonly Part[], request: SitemapRequest): Promise<Buffer[] | undefined> {
  const chunks = [homePages(request.context)]
  let bytes = 0
  for (const part of parts) {
    const chunk = await urlsOfPart(part, request)
    bytes += chunk.length
    if (bytes > maxBytes - 1000) return undefined
    chunks.push(chunk)
  }
  return chunks
}

function sitemapIndex(parts: readonly Part[], { settings: { publicUrl } }: Context): Buffer {
  const entry = (name: string, modifiedAt: Date | null) =>
    `<sitemap><loc>${escapeXml(`${publicUrl}/${name}`)}</loc>${lastModified(modifiedAt)}</sitemap>\n`
  const entries = parts.map((part) => entry(partName(part), part.modifiedAt))
  return document('sitemapindex', '', [Buffer.from(entry('sitemap-home.xml', null) + entries.join(''))])
}

const partName = ({ kind, number }: Pick<Part, 'kind' | 'number'>) => `sitemap-${kind.toLowerCase()}-${number}.xml`

export const createHomeSitemap = ({ context }: SitemapRequest): Buffer => urlset([homePages(context)])

/** Returns one part of the sitemap. Throws notFoundError if the part has no pages. */
export async function createSitemapPart(kind: string, number: number, request: SitemapRequest): Promise<Buffer> {
  const chunk = await urlsOfPart({ kind: kind.toUpperCase() as SitemapKind, number }, request)
  if (chunk.length === 0) throw new DomainError('NOT_FOUND', 'The sitemap has no such part: see /sitemap.xml.')
  return urlset([chunk])
}

function homePages({ settings }: Context): Buffer {
  const urls = [homeUrl, ...servedListNames(settings).map((list) => listPageUrl.bind(null, list))]
  const pages = urls.map((urlIn) =>
    settings.languages.map((language) => ({ language, url: urlIn(language, settings) })),
  )
  return Buffer.from(pages.map((page) => urlsOfPages(page, null, settings.defaultLanguage)).join(''))
}

async function urlsOfPart({ kind, number }: Pick<Part, 'kind' | 'number'>, { context, execute }: SitemapRequest) {
  const { sitemapPages } = await execute(SitemapPagesDocument, { kind, part: number }, context)
  const records = [...Map.groupBy(sitemapPages, ({ databaseId }) => databaseId).values()]
  const chunks: Buffer[] = []
  for (let start = 0; start < records.length; start += 500) {
    // Lets other requests run between the chunks of a large file.
    if (start > 0) await setImmediate()
    const texts = records.slice(start, start + 500).map((pages) => urlsOfRecord(pages, context))
    chunks.push(Buffer.from(texts.join('')))
  }
  return Buffer.concat(chunks)
}

function urlsOfRecord(pages: readonly Page[], { settings }: Context): string {
  const alternates = pages.map(({ language, url }) => ({ language: languageOfCode(language), url }))
  return urlsOfPages(alternates, pages[0]?.modifiedAt ?? null, settings.defaultLanguage)
}

/** Returns a <url> element for the record's page in each language, with links to the pages in all languages. */
function urlsOfPages(pages: readonly Alternate[], modifiedAt: Date | null, defaultLanguage: string): string {
  const fallback = pages.find(({ language }) => language === defaultLanguage)
  const alternates = fallback ? [...pages, { language: 'x-default', url: fallback.url }] : pages
  const links =
    pages.length === 1
      ? ''
      : alternates
          .map(({ language, url }) => `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeXml(url)}"/>`)
          .join('')
  const rest = `${lastModified(modifiedAt)}${links}</url>\n`
  return pages.map(({ url }) => `<url><loc>${escapeXml(url)}</loc>${rest}`).join('')
}

const lastModified = (time: Date | null) => (time === null ? '' : `<lastmod>${time.toISOString()}</lastmod>`)

const urlset = (chunks: readonly Buffer[]) => document('urlset', ' xmlns:xhtml="http://www.w3.org/1999/xhtml"', chunks)

const document = (root: string, namespaces: string, chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${namespaces}>\n`,
    ),
    ...chunks,
    Buffer.from(`</${root}>\n`),
  ])
