// Images of imported records: downloaded once per URL, under the same checks as imageUrl of a mutation. An image that cannot
// be downloaded keeps its address on the legacy site until a later import downloads it.

import { problemsOf } from '../../basics/input-errors.ts'
import { isServerProblem } from '../../calendar/image/storage/download.ts'
import { writeImageTexts } from '../../calendar/image/storage/texts.ts'
import {
  createImage,
  downloadFile,
  fileColumns,
  maxUrlLength,
  type StoredFile,
  type StoredVersion,
  titleOf,
} from '../../calendar/image/storage/write.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { inTransaction } from '../../engine/postgres/transaction.ts'
import type { Context } from '../../service/context.ts'
import type { RecordIds } from './record-ids.ts'
import type { SourceImage } from './source-records.ts'

export interface RecordImages {
  /** Downloads an image and its smaller versions unless they are stored already. Returns what failed, or undefined. */
  fetch(image: SourceImage): Promise<string | undefined>
  /** The ID of the image, which is recorded if it is new. Undefined if its URL is too long. */
  idOf(image: SourceImage): Promise<number | undefined>
}

/** After so many downloads in a row that failed because of a server, the rest of its images are not tried. */
const maxServerProblems = 3

interface Download {
  /** Undefined if the image was stored before, or if the download failed. */
  readonly file?: StoredFile
  readonly sizes?: readonly StoredVersion[]
  readonly problem?: string | undefined
}

/** `context` is that of the whole import. */
export function createRecordImages(context: Context, ids: RecordIds): RecordImages {
  const downloads = new Map<string, Promise<Download>>()
  const files = createDownloader(context)
  return {
    fetch: async (image) => {
      const download = downloads.get(image.url) ?? downloadImage(image, files, context)
      downloads.set(image.url, download)
      return (await download).problem
    },
    idOf: async (image) => {
      const { url } = image
      if (url.length > maxUrlLength) return undefined
      const { file, sizes = [] } = (await downloads.get(url)) ?? {}
      const stored = await context.db.image.findFirst({
        where: { OR: [{ sourceUrl: url }, { url }] },
        // The downloaded image, if another record refers to the original.
        orderBy: [{ sourceUrl: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }],
        select: { id: true, sourceUrl: true },
      })
      if (stored && (stored.sourceUrl !== null || !file)) return stored.id
      const recordId = stored ? undefined : await ids.choose('image', image.id)
      return inTransaction(context.db, async (tx) => {
        if (!file) return createOriginal(tx, image, recordId, context)
        const id = stored?.id ?? (await createImage(tx, file, url, context, { recordId }))
        // The sizes of the site replace those that were made here, because its clients know their names.
        const siteSizes = sizes.length > 0 ? { sizes } : {}
        const data = { ...(stored && { ...fileColumns(file), sourceUrl: url }), ...siteSizes }
        if (Object.keys(data).length > 0) await tx.image.update({ where: { id }, data })
        return id
      })
    },
  }
}

async function createOriginal(tx: Tx, image: SourceImage, recordId: number | undefined, context: Context) {
  const { id } = await tx.image.create({ data: { id: recordId, ...originalColumns(image, context) } })
  await writeImageTexts(tx, id, new Map([[context.language, { title: titleOf(image.url) }]]), context)
  return id
}

const mimeTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
}

/** The columns of an image that stays on the legacy site. */
function originalColumns({ url, width, height, fileSize, mimeType, sizes }: SourceImage, { now }: Context) {
  const typeOf = (address: string, type: string | undefined) =>
    type ?? mimeTypes[/\.(\w+)$/.exec(URL.parse(address)?.pathname ?? '')?.[1]?.toLowerCase() ?? ''] ?? 'image/jpeg'
  const measured = sizes.flatMap((size) =>
    size.width !== undefined && size.height !== undefined
      ? [{ ...size, width: size.width, height: size.height, mimeType: typeOf(size.url, size.mimeType) }]
      : [],
  )
  return {
    url,
    width,
    height,
    fileSize,
    mimeType: typeOf(url, mimeType),
    sizes: measured,
    createdAt: now,
    modifiedAt: now,
  }
}

type Downloader = (url: string, withSizes: boolean) => Promise<StoredFile | string>

/** Downloads files. The result is the file, or why it cannot be used. */
function createDownloader(context: Context): Downloader {
  const problemsInARow = new Map<string, number>()
  return async (url, withSizes) => {
    if (url.length > maxUrlLength) return `A URL can have at most ${maxUrlLength} characters.`
    const host = new URL(url).host
    const problems = problemsInARow.get(host) ?? 0
    if (problems >= maxServerProblems) return `Its server failed ${problems} times in a row.`
    try {
      const file = await downloadFile(url, performance.now() + context.settings.requestTimeout / 2, context, withSizes)
      problemsInARow.delete(host)
      return file
    } catch (error) {
      const message = problemsOf(error)[0]?.message ?? ''
      if (isServerProblem(message)) problemsInARow.set(host, problems + 1)
      return message
    }
  }
}

const fileOf = ({ path, size, mimeType, width, height }: StoredFile) => {
  return { url: path, mimeType, width, height, fileSize: size }
}

async function downloadImage(image: SourceImage, download: Downloader, { db }: Context): Promise<Download> {
  if (await db.image.findFirst({ where: { sourceUrl: image.url }, select: { id: true } })) return {}
  const file = await download(image.url, true)
  if (typeof file === 'string') return { problem: file }
  const sizes: StoredVersion[] = []
  for (const { name, url } of image.sizes) {
    const version = url === image.url ? file : await download(url, false)
    // Clients choose among the sizes that there are.
    if (typeof version !== 'string') sizes.push({ name, ...fileOf(version) })
  }
  return { file, sizes }
}
