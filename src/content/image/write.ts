// Images that come with what is written: fetched and stored before the transaction, recorded in it.
import { createContextCache } from '@pothos/core'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { badInput } from '../../errors.ts'
import { may } from '../rights.ts'
import { fetchImage } from './fetch.ts'
import { checkImage, type ImageDescription, imagesRoot, saveImage } from './store.ts'
import { usableImages } from './visibility.ts'

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

/** Where an image comes from: an address, or a file that was sent along. */
type Source = string | File

/** Files stored for an operation, by where they come from. */
const fetched = createContextCache(() => new Map<Source, StoredFile>())

async function storeImage(
  bytes: Uint8Array,
  description: ImageDescription,
  { settings }: Context,
): Promise<StoredFile> {
  const name = await saveImage(settings.imagesDir, bytes, description.extension)
  return { ...description, path: `${imagesRoot}/${name}`, size: bytes.length }
}

/** Stores a file that was sent as this field. Throws badInput for what is no image. */
export async function storeFile(field: string, file: File, context: Context): Promise<StoredFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const description = checkImage(bytes)
  if (typeof description === 'string') throw badInput({ [field]: description })
  return storeImage(bytes, description, context)
}

/** Each image in an input that is not here yet. Throws badInput for those who may not upload. */
export async function missingImages(input: unknown, context: Context): Promise<Source[]> {
  const sources = [...new Set(imageSources(input))]
  // Visitors are refused by what they would write, before anything is fetched for them.
  if (sources.length === 0 || context.viewer === undefined) return []
  const field = typeof sources[0] === 'string' ? 'imageUrl' : 'imageFile'
  if (!may(context.viewer, 'upload'))
    throw badInput({ [field]: 'Your role may not bring images: give the number of one.' })
  if (sources.length > mostImages) throw badInput({ [field]: `At most ${mostImages} images are brought at once.` })
  const missing: Source[] = []
  for (const source of sources) {
    if (typeof source === 'string' && source.length > longestUrl)
      throw badInput({ imageUrl: `An address has at most ${longestUrl} characters.` })
    if (typeof source !== 'string' || !(await knownImage(context.db, source, context))) missing.push(source)
  }
  return missing
}

/** Fetches and stores them, all within half the time of one request: the rest is for the answer. */
export async function fetchImages(sources: readonly Source[], context: Context): Promise<void> {
  const { imagePrivateHosts: privateHosts, requestTimeout } = context.settings
  const deadline = performance.now() + requestTimeout / 2
  for (const source of sources) {
    if (typeof source !== 'string') {
      fetched(context).set(source, await storeFile('imageFile', source, context))
      continue
    }
    const timeout = Math.max(1, Math.round(deadline - performance.now()))
    const { bytes, ...description } = await fetchImage(source, { privateHosts, maxBytes: largest, timeout })
    fetched(context).set(source, await storeImage(bytes, description, context))
  }
}

/** While what is written is rehearsed, its images are still to come. */
export const awaited = createContextCache(() => new Set<Source>())

/** Custom fields are the site's own: an `imageUrl` in them is not ours to fetch. */
function imageSources(input: unknown): Source[] {
  if (typeof input !== 'object' || input === null || input instanceof Date) return []
  return Object.entries(input).flatMap(([key, value]): Source[] => {
    if (key === 'customFields') return []
    if (key === 'imageUrl' && typeof value === 'string') return [value]
    return key === 'imageFile' && value != null ? [value as File] : imageSources(value)
  })
}

interface ImageWish {
  readonly imageId?: number | null | undefined
  readonly imageUrl?: string | null | undefined
  readonly imageFile?: File | null | undefined
}

/** The image of a record that is written: undefined leaves it, null removes it. Throws badInput for one that isn't there. */
export async function imageFor(
  tx: Tx,
  { imageId, imageUrl, imageFile }: ImageWish,
  context: Context,
): Promise<number | null | undefined> {
  const source = imageFile ?? imageUrl
  if (source == null) {
    if (imageId == null) return imageId
    if ((await tx.image.count({ where: { AND: [{ id: imageId }, usableImages(context)] } })) > 0) return imageId
    throw badInput({ imageId: 'There is no such image.' })
  }
  if (imageId != null || (imageFile != null && imageUrl != null)) {
    throw badInput({ imageId: 'Give one of imageId, imageUrl and imageFile.' })
  }
  const address = typeof source === 'string' ? source : null
  const known = address === null ? null : await knownImage(tx, address, context)
  if (known) return known.id
  const file = fetched(context).get(source)
  if (!file && awaited(context).has(source)) return null
  if (!file) throw badInput({ [address === null ? 'imageFile' : 'imageUrl']: 'This image could not be fetched.' })
  return createImage(tx, file, address, context)
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
