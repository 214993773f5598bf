// Reads what events, venues and organizers have in common.
import { decodeHTML } from 'entities'
import { z } from 'zod'
import { toInstant } from '../../basics/time.ts'
import { html, identifier, isBlank, line, wallClock } from './fields.ts'
import type { Findings, RecordLabel } from './findings.ts'
import type { RecordLanguage } from './languages.ts'
import type { AnySourceRecord, SourceEvent, SourceImage, SourceText } from './source-records.ts'

/** What reading the records of one root needs. */
export interface ReadContext {
  readonly root: URL
  readonly language: string
  /** All languages that are imported. */
  readonly languages: readonly string[]
  /** For dates without a zone. */
  readonly siteTimeZone: string
  readonly currency: { readonly defaultCurrencySymbol: string; readonly defaultCurrencyPosition: 'prefix' | 'postfix' }
  readonly findings: Findings
  /** IDs of categories and tags by slug, for events that name terms without an ID. */
  readonly terms: { readonly category: Map<string, number>; readonly tag: Map<string, number> }
}

type WithoutLanguages<Kind> = Kind extends AnySourceRecord ? Omit<Kind, 'ids' | 'originalLanguage' | 'texts'> : never

/** One language of a record. */
export interface RecordVersion<Kind extends AnySourceRecord = AnySourceRecord> {
  readonly language: string
  readonly text: SourceText
  readonly translations: RecordLanguage['translations']
  readonly fields: WithoutLanguages<Kind>
}

const post = z.object({
  author: identifier,
  status: z.string().optional().catch(undefined),
  date: wallClock,
  date_utc: wallClock,
  modified: wallClock,
  modified_utc: wallClock,
  url: z.string().catch(''),
  slug: z.union([z.string(), z.number()]).transform(String).catch(''),
  description: html,
  excerpt: html,
  image: z.unknown().optional(),
})

const statuses = ['publish', 'future', 'draft', 'pending', 'private'] as const

/** Undefined, and reported, for a status that records cannot have here. */
export function readPost(subject: RecordLabel, source: object, context: ReadContext) {
  const fields = post.parse(source)
  const status = statuses.find((each) => each === (fields.status ?? 'publish'))
  if (!status) return context.findings.skip(subject, `Its status is ${JSON.stringify(fields.status?.slice(0, 40))}.`)
  const instant = (utc: string | undefined, local: string | undefined) => {
    if (utc !== undefined) return new Date(`${utc}Z`)
    return local === undefined ? undefined : toInstant(local, context.siteTimeZone)
  }
  const image = readImage(fields.image, context.root)
  if (!image && !isBlank(fields.image)) context.findings.lossy(subject.kind, 'image', fields.image)
  const { description, excerpt, url, author } = fields
  const text = { name: subject.name, description, excerpt, slug: fields.slug || lastSegment(url) }
  const common = {
    ...{ author, status, image },
    publishedAt: instant(fields.date_utc, fields.date),
    modifiedAt: instant(fields.modified_utc, fields.modified),
  } satisfies Partial<SourceEvent>
  return { text, common, url }
}

/** The last part of a path that is not a date: an occurrence of a recurring event ends with its date. */
function lastSegment(url: string): string {
  const segments = URL.parse(url)?.pathname.split('/').filter(Boolean) ?? []
  return segments.findLast((segment) => !/^\d{4}-\d{2}-\d{2}$/.test(segment)) ?? ''
}

/** An absolute URL; a host without a scheme, as sites store them, gets `http://`. */
export function readWebsite(value: unknown, subject: RecordLabel, { findings }: ReadContext): string {
  const text = line.parse(value)
  if (text === '' || isUrl(text)) return text
  const completed = `http://${text}`
  const isHost = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?$/.test(text) && isUrl(completed)
  findings.lossy(subject.kind, 'website', text)
  return isHost ? completed : ''
}

const isUrl = (text: string) => /^(?!javascript|vbscript|data)[a-z][a-z0-9+-]*:\S+$/i.test(text) && URL.canParse(text)

/** Limits the downloads of one image. WordPress generates about ten sizes. */
const maxSizes = 20

/** Zero and text that is no number mean that the site does not know it. */
const measure = z.coerce.number().int().positive().max(2_147_483_647).optional().catch(undefined)

const file = z.object({
  url: z.string().min(1),
  width: measure,
  height: measure,
  filesize: measure,
  'mime-type': z.string().optional().catch(undefined),
})
const image = z.object({ id: identifier, sizes: z.record(z.string(), z.unknown()).catch({}) })

/** Undefined if the value is not an image with an absolute URL, or one relative to `root`. */
function readImage(value: unknown, root: URL): SourceImage | undefined {
  const given = typeof value === 'string' ? { url: value } : value
  const main = readFile(given, root)
  if (!main) return undefined
  const { id, sizes } = image.parse(given)
  /** Smaller versions that the site made of it. */
  const versions = Object.entries(sizes).flatMap(([name, size]) => {
    const version = readFile(size, root)
    return version ? [{ name: name.slice(0, 100), ...version }] : []
  })
  return { id, ...main, sizes: versions.slice(0, maxSizes) }
}

function readFile(value: unknown, root: URL) {
  const { data } = file.safeParse(value)
  const absolute = data && URL.parse(decodeHTML(data.url), root)
  if (!absolute || !/^https?:$/.test(absolute.protocol)) return undefined
  const { width, height, filesize, 'mime-type': type = '' } = data
  const mimeType = /^image\/[\w.+-]{1,60}$/.test(type) ? type : undefined
  return { url: absolute.href, width, height, fileSize: filesize, mimeType }
}
