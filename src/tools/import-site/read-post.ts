// Reads the fields that events, venues and organizers have in common.
import { decodeHTML } from 'entities'
import { z } from 'zod'
import { toInstant } from '../../basics/time.ts'
import { htmlSchema, idSchema, isEmptyFieldValue, lineSchema, wallClockSchema } from './fields.ts'
import type { ImportFindings, RecordLabel } from './findings.ts'
import type { RecordLanguage } from './languages.ts'
import type { AnyRecord, SourceEvent, SourceImage, SourceText } from './source-records.ts'

/** The settings and collected data for reading the records of one REST root. */
export interface ReadRecordContext {
  readonly root: URL
  readonly language: string
  /** All languages that are imported. */
  readonly languages: readonly string[]
  /** The time zone of dates without a zone. */
  readonly siteTimeZone: string
  readonly currency: { readonly defaultCurrencySymbol: string; readonly defaultCurrencyPosition: 'prefix' | 'postfix' }
  readonly findings: ImportFindings
  /** IDs of categories and tags by slug, for events whose nested terms have no ID. */
  readonly terms: { readonly category: Map<string, number>; readonly tag: Map<string, number> }
}

type WithoutLanguages<Kind> = Kind extends AnyRecord ? Omit<Kind, 'ids' | 'originalLanguage' | 'texts'> : never

/** A record in one language. */
export interface RecordVersion<Kind extends AnyRecord = AnyRecord> {
  readonly language: string
  readonly text: SourceText
  readonly translations: RecordLanguage['translations']
  readonly fields: WithoutLanguages<Kind>
}

const post = z.object({
  author: idSchema,
  status: z.string().optional().catch(undefined),
  date: wallClockSchema,
  date_utc: wallClockSchema,
  modified: wallClockSchema,
  modified_utc: wallClockSchema,
  url: z.string().catch(''),
  slug: z.union([z.string(), z.number()]).transform(String).catch(''),
  description: htmlSchema,
  excerpt: htmlSchema,
  image: z.unknown().optional(),
})

const statuses = ['publish', 'future', 'draft', 'pending', 'private'] as const

/** Returns the common fields. A record with an unknown status is reported as skipped, and undefined. */
export function readPostFields(subject: RecordLabel, source: object, context: ReadRecordContext) {
  const fields = post.parse(source)
  const status = statuses.find((each) => each === (fields.status ?? 'publish'))
  if (!status)
    return context.findings.skip(
      subject,
      `The status ${JSON.stringify(fields.status?.slice(0, 40))} is unknown to this service.`,
    )
  const instant = (utc: string | undefined, local: string | undefined) => {
    if (utc !== undefined) return new Date(`${utc}Z`)
    return local === undefined ? undefined : toInstant(local, context.siteTimeZone)
  }
  const image = readImage(fields.image, context.root)
  if (!image && !isEmptyFieldValue(fields.image)) context.findings.lossy(subject.kind, 'image', fields.image)
  const { description, excerpt, url, author } = fields
  const text = { name: subject.name, description, excerpt, slug: fields.slug || lastSegment(url) }
  const common = {
    ...{ author, status, image },
    publishedAt: instant(fields.date_utc, fields.date),
    modifiedAt: instant(fields.modified_utc, fields.modified),
  } satisfies Partial<SourceEvent>
  return { text, common, url }
}

/** Returns the last path segment that is not a date: the URL of an occurrence of a recurring event ends with the date. */
function lastSegment(url: string): string {
  const segments = URL.parse(url)?.pathname.split('/').filter(Boolean) ?? []
  return segments.findLast((segment) => !/^\d{4}-\d{2}-\d{2}$/.test(segment)) ?? ''
}

/** Returns an absolute URL. A host without a scheme gets `http://`; any other text is reported, and empty. */
export function readWebsite(value: unknown, subject: RecordLabel, { findings }: ReadRecordContext): string {
  const text = lineSchema.parse(value)
  if (text === '' || isUrl(text)) return text
  const completed = `http://${text}`
  const isHost = /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]\S*)?$/.test(text) && isUrl(completed)
  findings.lossy(subject.kind, 'website', text)
  return isHost ? completed : ''
}

const isUrl = (text: string) => /^(?!javascript|vbscript|data)[a-z][a-z0-9+-]*:\S+$/i.test(text) && URL.canParse(text)

/** Maximum number of sizes that are downloaded for one image. WordPress generates about ten. */
const maxSizes = 20

/** A width, height or file size. Undefined for zero and for text: the site does not know the value. */
const measure = z.coerce.number().int().positive().max(2_147_483_647).optional().catch(undefined)

const file = z.object({
  url: z.string().min(1),
  width: measure,
  height: measure,
  filesize: measure,
  'mime-type': z.string().optional().catch(undefined),
})
const image = z.object({ id: idSchema, sizes: z.record(z.string(), z.unknown()).catch({}) })

/** Reads an image. Undefined without a URL, which may be relative to `root`. */
function readImage(value: unknown, root: URL): SourceImage | undefined {
  const given = typeof value === 'string' ? { url: value } : value
  const main = readFile(given, root)
  if (!main) return undefined
  const { id, sizes } = image.parse(given)
  /** Smaller versions of the image, which the site generated. */
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
