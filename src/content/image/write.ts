// Images that come with what is written: fetched and stored before the transaction, recorded in it.

import { may } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { badInput, badInputs, type InputProblem } from '../../errors.ts'
import { memoizeByObject } from '../../memoize.ts'
import { problemsOf } from '../lifecycle/input-errors.ts'
import { fetchImage } from './download.ts'
import { checkImage, type ImageDescription, imagesRoot, saveImage } from './files.ts'
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
const fetched = memoizeByObject((_context: Context) => new Map<Source, StoredFile>())

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

/** An image that an input brings, and where in the input it is. */
export interface WantedImage {
  readonly source: Source
  readonly path: InputProblem['path']
}

/** What is wrong with them that nothing need be asked for. Visitors are refused by what they would write. */
export function imageProblems(wanted: readonly WantedImage[], { viewer }: Context): InputProblem[] {
  if (viewer === undefined) return []
  const allowed = [...new Set(wanted.map(({ source }) => source))].slice(0, mostImages)
  const wrong = (source: Source): string | undefined => {
    if (!may(viewer, 'upload')) return 'Your role may not bring images: give the number of one.'
    if (!allowed.includes(source)) return `At most ${mostImages} images are brought at once.`
    const isLong = typeof source === 'string' && source.length > longestUrl
    return isLong ? `An address has at most ${longestUrl} characters.` : undefined
  }
  return wanted.flatMap(({ source, path }) => {
    const message = wrong(source)
    return message === undefined ? [] : { path, message }
  })
}

/** Those that are not here yet. */
export async function missingImages(wanted: readonly WantedImage[], context: Context): Promise<WantedImage[]> {
  if (context.viewer === undefined) return []
  const missing: WantedImage[] = []
  for (const image of wanted) {
    const isHere = typeof image.source === 'string' && (await knownImage(context.db, image.source, context))
    if (!isHere) missing.push(image)
  }
  return missing
}

/**
 * Fetches and stores them, all within half the time of one request: the rest is for the answer. Throws badInput for all
 * that are none or could not be fetched.
 */
export async function fetchImages(missing: readonly WantedImage[], context: Context): Promise<void> {
  const deadline = performance.now() + context.settings.requestTimeout / 2
  const problems: InputProblem[] = []
  for (const [source, places] of Map.groupBy(missing, (image) => image.source)) {
    try {
      fetched(context).set(source, await storeSource(source, deadline, context))
    } catch (error) {
      const [problem] = problemsOf(error)
      for (const { path } of places) problems.push({ path, message: problem?.message ?? '' })
    }
  }
  if (problems.length > 0) throw badInputs(problems)
}

async function storeSource(source: Source, deadline: number, context: Context): Promise<StoredFile> {
  if (typeof source !== 'string') return storeFile('imageFile', source, context)
  const timeout = Math.max(1, Math.round(deadline - performance.now()))
  const options = { privateHosts: context.settings.imagePrivateHosts, maxBytes: largest, timeout }
  const { bytes, ...description } = await fetchImage(source, options)
  return storeImage(bytes, description, context)
}

/** While what is written is rehearsed, its images are still to come. */
export const awaited = memoizeByObject((_context: Context) => new Set<Source>())

/** Each image that an input brings. Custom fields are the site's own: an `imageUrl` in them is not ours to fetch. */
export function wantedImages(input: unknown, path: InputProblem['path'] = []): WantedImage[] {
  if (typeof input !== 'object' || input === null || input instanceof Date) return []
  return Object.entries(input).flatMap(([key, value]): WantedImage[] => {
    if (key === 'customFields') return []
    const place = [...path, Array.isArray(input) ? Number(key) : key]
    const isSource = (key === 'imageUrl' && typeof value === 'string') || (key === 'imageFile' && value != null)
    return isSource ? [{ source: value as Source, path: place }] : wantedImages(value, place)
  })
}

interface ImageWish {
  readonly imageId?: number | null | undefined
  readonly imageUrl?: string | null | undefined
  readonly imageFile?: File | null | undefined
}

/** The number of an image, or what one is created from: undefined leaves the image of a record, null removes it. */
export type FoundImage = number | null | undefined | { readonly file: StoredFile; readonly address: string | null }

/** The image that a record is to have. Throws badInput for one that isn't there. */
export async function findImage(
  tx: Tx,
  { imageId, imageUrl, imageFile }: ImageWish,
  context: Context,
): Promise<FoundImage> {
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
  return { file, address }
}

/** Its number; one that was stored for this operation is recorded. */
export async function imageIdOf(tx: Tx, image: FoundImage, context: Context): Promise<number | null | undefined> {
  if (typeof image !== 'object' || image === null) return image
  const { file, address } = image
  // Another part of the same input may have brought it meanwhile.
  const known = address === null ? null : await knownImage(tx, address, context)
  return known ? known.id : createImage(tx, file, address, context)
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
