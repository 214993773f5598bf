// Images that come with what is written: fetched and stored before the transaction, recorded in it.
import { createContextCache } from '@pothos/core'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { badInput } from '../../errors.ts'
import { may } from '../rights.ts'
import { fetchImage } from './fetch.ts'
import { type ImageDescription, imagesRoot, saveImage } from './store.ts'

/** Bytes of an image fetched by its URL. */
const largest = 10 * 1024 ** 2

/** Images that one operation brings. */
const mostImages = 10

/** Characters of an address; an index holds it. */
const longestUrl = 2000

interface StoredFile extends ImageDescription {
  /** Path on this service. */
  readonly path: string
  /** Bytes. */
  readonly size: number
}

/** Files fetched for an operation, by the URL that was asked for. */
const fetched = createContextCache(() => new Map<string, StoredFile>())

export async function storeImage(
  bytes: Uint8Array,
  description: ImageDescription,
  { settings }: Context,
): Promise<StoredFile> {
  const name = await saveImage(settings.imagesDir, bytes, description.extension)
  return { ...description, path: `${imagesRoot}/${name}`, size: bytes.length }
}

/** Each `imageUrl` in an input that is not here yet. Throws badInput for those who may not upload. */
export async function missingImages(input: unknown, context: Context): Promise<string[]> {
  const urls = [...new Set(imageUrls(input))]
  // Visitors are refused by what they would write, before anything is fetched for them.
  if (urls.length === 0 || context.viewer === undefined) return []
  if (!may(context.viewer, 'upload'))
    throw badInput({ imageUrl: 'Your role may not bring images by URL: give the number of one.' })
  if (urls.length > mostImages) throw badInput({ imageUrl: `At most ${mostImages} images are fetched at once.` })
  const missing: string[] = []
  for (const url of urls) {
    if (url.length > longestUrl) throw badInput({ imageUrl: `An address has at most ${longestUrl} characters.` })
    if (!(await knownImage(context.db, url, context))) missing.push(url)
  }
  return missing
}

/** Fetches and stores them, all within half the time of one request: the rest is for the answer. */
export async function fetchImages(urls: readonly string[], context: Context): Promise<void> {
  const { imagePrivateHosts: privateHosts, requestTimeout } = context.settings
  const deadline = performance.now() + requestTimeout / 2
  for (const url of urls) {
    const timeout = Math.max(1, Math.round(deadline - performance.now()))
    const { bytes, ...description } = await fetchImage(url, { privateHosts, maxBytes: largest, timeout })
    fetched(context).set(url, await storeImage(bytes, description, context))
  }
}

/** While what is written is rehearsed, its images are still to come. */
export const awaited = createContextCache(() => new Set<string>())

/** Custom fields are the site's own: an `imageUrl` in them is not ours to fetch. */
function imageUrls(input: unknown): string[] {
  if (typeof input !== 'object' || input === null || input instanceof Date) return []
  return Object.entries(input).flatMap(([key, value]) => {
    if (key === 'customFields') return []
    return key === 'imageUrl' && typeof value === 'string' ? [value] : imageUrls(value)
  })
}

interface ImageWish {
  readonly imageId?: number | null | undefined
  readonly imageUrl?: string | null | undefined
}

/** The image of a record that is written: undefined leaves it, null removes it. Throws badInput for one that isn't there. */
export async function imageFor(
  tx: Tx,
  { imageId, imageUrl }: ImageWish,
  context: Context,
): Promise<number | null | undefined> {
  if (imageUrl == null) {
    if (imageId == null || (await tx.image.count({ where: { id: imageId } })) > 0) return imageId
    throw badInput({ imageId: 'There is no such image.' })
  }
  if (imageId != null) throw badInput({ imageId: 'Give either imageId or imageUrl.' })
  const known = await knownImage(tx, imageUrl, context)
  if (known) return known.id
  const file = fetched(context).get(imageUrl)
  if (!file && awaited(context).has(imageUrl)) return null
  if (!file) throw badInput({ imageUrl: 'This image could not be fetched.' })
  return createImage(tx, file, imageUrl, context)
}

export async function createImage(
  tx: Tx,
  { path, size, mimeType, width, height }: StoredFile,
  sourceUrl: string | null,
  { viewer, now }: Context,
): Promise<number> {
  const data = {
    url: path,
    sourceUrl,
    mimeType,
    width,
    height,
    fileSize: size,
    authorId: viewer?.id ?? null,
    createdAt: now,
  }
  return (await tx.image.create({ data, select: { id: true } })).id
}

/** An image with this address, or that was brought from it. */
function knownImage(db: Pick<Tx, 'image'>, url: string, { settings }: Context) {
  const path = url.startsWith(`${settings.publicUrl}${imagesRoot}/`) ? url.slice(settings.publicUrl.length) : url
  return db.image.findFirst({
    where: { OR: [{ url: path }, { sourceUrl: url }] },
    orderBy: { id: 'asc' },
    select: { id: true },
  })
}
