// Downloads the images of imported records once per URL, with the same checks as the input field imageUrl. An image that
// cannot be downloaded keeps its URL on the legacy site until a later import downloads it.
import { toInputProblems } from '../../basics/input-errors.ts'
import { isServerProblem } from '../../calendar/image/storage/download.ts'
import { writeImageTexts } from '../../calendar/image/storage/texts.ts'
import {
  createImage,
  maxUrlLength,
  type StoredImage,
  type StoredImageVersion,
  storeFromUrl,
  titleFromFileName,
} from '../../calendar/image/storage/write.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { runInTransaction } from '../../engine/postgres/transaction.ts'
import type { Context } from '../../service/context.ts'
import { actorOf } from '../../service/context.ts'
import type { IdChooser } from './record-ids.ts'
import type { SourceImage } from './source-records.ts'

/** After this number of consecutive failures of a server, no more images are requested from it. */
const maxServerProblems = 3

/** Returns functions that download and store images. `context`: the context of the whole import. */
export function createRecordImages(context: Context, chooseId: IdChooser) {
  const downloads = new Map<string, ReturnType<typeof downloadImage>>()
  const files = createDownloader(context)
  return {
    /** Downloads an image and its smaller versions, unless they are stored. Returns an error message, or undefined. */
    async fetch(image: SourceImage): Promise<string | undefined> {
      const download = downloads.get(image.url) ?? downloadImage(image, files, context)
      downloads.set(image.url, download)
      return (await download).problem
    },
    /** Returns the ID of the image, after storing a new one. Undefined if the URL is too long. */
    async idOf(image: SourceImage): Promise<number | undefined> {
      const { url } = image
      if (url.length > maxUrlLength) return undefined
      const { file, sizes = [] } = (await downloads.get(url)) ?? {}
      const stored = await context.db.image.findFirst({
        where: { OR: [{ sourceUrl: url }, { url }] },
        // Prefers a downloaded image to an image whose file is still on the legacy site.
        orderBy: [{ sourceUrl: { sort: 'desc', nulls: 'last' } }, { id: 'asc' }],
        select: { id: true, sourceUrl: true },
      })
      if (stored && (stored.sourceUrl !== null || !file)) return stored.id
      const recordId = stored ? undefined : await chooseId('image', image.id)
      return runInTransaction(context.db, actorOf(context), async (tx) => {
        if (!file) return createOriginal(tx, image, recordId, context)
        const id = stored?.id ?? (await createImage(tx, file, url, context, { recordId }))
        const download = stored && { ...file.columns, sourceUrl: url }
        // The sizes of the site replace the generated sizes, because clients of the site use their names.
        const data = { ...download, ...(sizes.length > 0 && { sizes }) }
        if (Object.keys(data).length > 0) await tx.image.update({ where: { id }, data })
        return id
      })
    },
  }
}

async function createOriginal(tx: Tx, image: SourceImage, recordId: number | undefined, context: Context) {
  const { id } = await tx.image.create({ data: { id: recordId, ...originalColumns(image, context) } })
  await writeImageTexts(tx, id, new Map([[context.language, { title: titleFromFileName(image.url) }]]), context)
  return id
}

/** Returns the columns of an image whose file stays on the legacy site. */
function originalColumns({ id: _, sizes, ...image }: SourceImage, { now }: Context) {
  const measured = sizes.flatMap(({ width, height, ...size }) =>
    width !== undefined && height !== undefined ? [{ ...size, width, height, mimeType: mimeTypeOf(size) }] : [],
  )
  return { ...image, mimeType: mimeTypeOf(image), sizes: measured, createdAt: now, modifiedAt: now }
}

const mimeTypes: Readonly<Record<string, string>> = { jpg: 'image/jpeg', svg: 'image/svg+xml' }

function mimeTypeOf({ url, mimeType }: Pick<SourceImage, 'url' | 'mimeType'>): string {
  const extension =
    /\.(jpe?g|png|gif|webp|avif|svg)$/i.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? 'jpg'
  return mimeType ?? mimeTypes[extension] ?? `image/${extension}`
}

/** Returns a function that downloads a file. The function returns the file, or an error message. */
function createDownloader(context: Context) {
  const problemsInARow = new Map<string, number>()
  return async (url: string, withSizes: boolean): Promise<StoredImage | string> => {
    if (url.length > maxUrlLength) return `A URL can have at most ${maxUrlLength} characters.`
    const host = new URL(url).host
    const problems = problemsInARow.get(host) ?? 0
    if (problems >= maxServerProblems) return `Its server failed ${problems} times in a row.`
    try {
      const file = await storeFromUrl(url, performance.now() + context.settings.requestTimeout / 2, context, withSizes)
      problemsInARow.delete(host)
      return file
    } catch (error) {
      const message = toInputProblems(error)[0]?.message ?? ''
      if (isServerProblem(message)) problemsInARow.set(host, problems + 1)
      return message
    }
  }
}

/** Downloads an image. Returns no file if it was stored before, or if the download failed. */
async function downloadImage(
  image: SourceImage,
  download: ReturnType<typeof createDownloader>,
  { db }: Context,
): Promise<{ file?: StoredImage; sizes?: StoredImageVersion[]; problem?: string }> {
  if (await db.image.findFirst({ where: { sourceUrl: image.url }, select: { id: true } })) return {}
  const file = await download(image.url, true)
  if (typeof file === 'string') return { problem: file }
  const sizes: StoredImageVersion[] = []
  for (const { name, url } of image.sizes) {
    const version = url === image.url ? file : await download(url, false)
    // A missing size is no problem: clients choose among the existing ones.
    if (typeof version === 'string') continue
    const { sizes: _, alternates, sizeRules, ...columns } = version.columns
    sizes.push({ name, ...columns })
  }
  return { file, sizes }
}
