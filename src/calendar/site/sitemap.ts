// The pages for search engines: of published records that are neither locked nor hidden from lists, in each
// language in which the title or name was written.

import { isPost, kinds, type RecordKind, recordKinds } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { getRecordReads } from '../list/records.ts'
import { slugsSelect, type TextRow, translationUrl } from '../list/translations.ts'
import { kindEnumValues } from '../rules/enums.ts'
import { publishedFilter } from '../rules/status.ts'

interface SitemapPartRow {
  readonly kind: RecordKind
  readonly number: number
  readonly pages: number
  readonly modifiedAt: Date | null
}

interface SitemapPageRow {
  readonly databaseId: number
  readonly language: string
  readonly url: string
  readonly modifiedAt: Date | null
}

const SitemapKind = builder.enumType('SitemapKind', {
  description: 'A kind of record that has pages.',
  values: kindEnumValues(recordKinds, (kind) => `Pages of ${kinds[kind].plural}.`),
})

const SitemapPart = builder.objectRef<SitemapPartRow>('SitemapPart').implement({
  description:
    'A part of the sitemap: the pages of a range of record IDs. A new record does not move other records to another part.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SitemapKind, description: 'Kind of the records on these pages.' }),
    number: t.exposeInt('number', {
      description: 'Number of the part within its kind, from 1. Parts without pages are left out.',
    }),
    pages: t.exposeInt('pages', { description: 'Number of pages.' }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When one of the records was last modified; null for categories and tags.',
    }),
  }),
})

const SitemapPage = builder.objectRef<SitemapPageRow>('SitemapPage').implement({
  description: 'The HTML page of a record in one language.',
  fields: (t) => ({
    databaseId: t.exposeInt('databaseId', {
      description: 'ID of the record. The pages of a record are next to each other in the list.',
    }),
    language: t.expose('language', { type: LanguageCode, description: 'Language of the page.' }),
    url: t.expose('url', { type: 'URL', description: 'URL of the page.' }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the record was last modified; null for a category or tag.',
    }),
  }),
})

const maxRecords = 5000
/** A sitemap may have 50,000 URLs and 50 MB. Each URL has a line for each language. */
const [maxUrls, maxLines] = [50_000, 140_000]

/** Returns the range of IDs per sitemap file, which fits even if all records are translated into each language of the site. */
function partSize({ languages }: Context['settings']): number {
  const count = languages.length
  return Math.max(1, Math.min(maxRecords, Math.floor(maxUrls / count), Math.floor(maxLines / (count * (count + 2)))))
}

const visibleToAll = (kind: RecordKind) =>
  `r.live AND r.published_at <= $2::timestamptz AND r.password_key IS NULL${kind === 'event' ? ' AND NOT r.hide_from_listings' : ''}`

/** Of each series one of its dates, the same for all requests: the page of the series shows the next date. */
const ofSeries = `SELECT DISTINCT ON (r.series_id) r.id FROM event r
  WHERE r.series_id IS NOT NULL AND ${visibleToAll('event')} ORDER BY r.series_id, r.id`

const countParts = recordKinds
  .map(
    (kind) => `
  SELECT '${kind}' AS kind, t.${kind}_id / $3::int + 1 AS number, count(*)::int AS pages,
    ${isPost(kind) ? 'max(r.modified_at)' : 'NULL::timestamptz'} AS "modifiedAt"
  FROM ${kind}_text t${isPost(kind) ? ` JOIN ${kind} r ON r.id = t.${kind}_id` : ''}
  WHERE t.language = ANY($1::text[]) AND 'name' = ANY(t.written)${isPost(kind) ? ` AND ${visibleToAll(kind)}` : ''}${kind === 'event' ? ` AND (r.series_id IS NULL OR r.id IN (${ofSeries}))` : ''}
  GROUP BY 2`,
  )
  .join(' UNION ALL ')

async function partsOf({ reads, now, settings }: Context): Promise<SitemapPartRow[]> {
  const values = [settings.languages, now, partSize(settings)]
  const parts = await reads.rows<SitemapPartRow>({ text: countParts, values }, { prepared: true })
  const order = (part: SitemapPartRow) => recordKinds.indexOf(part.kind)
  return parts.sort((a, b) => order(a) - order(b) || a.number - b.number)
}

async function listedForAll(kind: RecordKind, { now, reads }: Context) {
  const listed = { ...publishedFilter(now), passwordKey: null }
  if (kind !== 'event') return listed
  const text = ofSeries.replace('$2', '$1')
  const ids = (await reads.rows<{ id: number }>({ text, values: [now] }, { prepared: true })).map(({ id }) => id)
  return { ...listed, hideFromListings: false, OR: [{ seriesId: null }, { id: { in: ids } }] }
}

type PageRow = TextRow & Readonly<Record<string, { readonly modifiedAt?: Date } | undefined>>

async function pagesOf(kind: RecordKind, number: number, context: Context): Promise<SitemapPageRow[]> {
  const { settings } = context
  const size = partSize(settings)
  if (number < 1 || number > Math.ceil(2 ** 31 / size)) return []
  const languages = [...settings.languages]
  const id = `${kind}Id`
  const slugs = slugsSelect(kind, languages)
  const rows = (await getRecordReads(context, `${kind}Text`).findMany({
    where: {
      [id]: { gte: (number - 1) * size, lte: Math.min(number * size - 1, 2 ** 31 - 1) },
      language: { in: languages },
      written: { has: 'name' },
      ...(isPost(kind) && { [kind]: await listedForAll(kind, context) }),
    },
    select: {
      ...{ [id]: true, language: true, slug: true, source: true },
      ...(isPost(kind) ? { [kind]: { select: { status: true, modifiedAt: true } } } : slugs),
    },
    orderBy: [{ [id]: 'asc' }, { language: 'asc' }],
  })) as PageRow[]
  return rows.flatMap((row) => {
    const url = translationUrl(context, kind, row)
    if (url === null) return []
    return [{ databaseId: Number(row[id]), language: row.language, url, modifiedAt: row[kind]?.modifiedAt ?? null }]
  })
}

const extensions = complexity({ assumedSize: 1000 })

builder.queryFields((t) => ({
  sitemapParts: t.field({
    type: [SitemapPart],
    description:
      'The parts of the sitemap, by kind and number. The parts have the pages of published records that are neither locked nor hidden from lists, in the languages of their titles and names, for every viewer. A series has one page, not one for each date.',
    extensions,
    resolve: (_root, _args, context) => partsOf(context),
  }),
  sitemapPages: t.field({
    type: [SitemapPage],
    description: 'The pages of one part of the sitemap. Empty for a part that does not exist.',
    extensions,
    args: {
      kind: t.arg({ type: SitemapKind, required: true, description: 'Kind of the records on these pages.' }),
      part: t.arg.int({ required: true, description: 'Number of the part, from 1.' }),
    },
    resolve: (_root, { kind, part }, context) => pagesOf(kind, part, context),
  }),
}))
