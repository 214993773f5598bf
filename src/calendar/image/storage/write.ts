// Images in mutation inputs: files are downloaded and stored before the transaction, and recorded in the database in it.

import { badInputError, type InputProblem, inputProblemsError } from '../../../basics/errors.ts'
import { toInputProblems } from '../../../basics/input-errors.ts'
import { memoizeByObject } from '../../../basics/memoize.ts'
import type { Tx } from '../../../engine/postgres/client.ts'
import { authorIdOf, may } from '../../../service/auth/permissions.ts'
import type { Context } from '../../../service/context.ts'
import { parseReferenceId } from '../../rules/identify.ts'
import { usableImagesFilter } from '../../rules/visibility.ts'
import { readLineInput } from '../../text/text-input.ts'
import { downloadImage } from './download.ts'
import { checkImage, DamagedImageError, type ImageDescription, imagesPath, saveImage } from './files.ts'
import { type ImageTextChange, writeImageTexts } from './texts.ts'
import { type ImageVersion, type ImageVersions, makeImageVersions, sizeRulesVersion } from './versions.ts'

/** Maximum of new images per operation. */
const maxImages = 10

/** Maximum of characters of the URL of an image. Limited because the column is indexed. */
export const maxUrlLength = 2000

/** A stored version of an image. A type, because interfaces are not assignable to Prisma's type of JSON. */
export type StoredImageVersion = {
  readonly name: string
  /** URL path on this site. */
  readonly url: string
  readonly mimeType: string
  readonly width: number
  readonly height: number
  readonly fileSize: number
}

/** An image whose files are stored: its columns and its default title. */
export type StoredImage = Awaited<ReturnType<typeof storeImage>>

/** A URL, or an uploaded file. */
type Source = string | File

/** Files that were stored for an operation, by source. */
const fetchedFiles = memoizeByObject((_context: Context) => new Map<Source, StoredImage>())

/**
 * Stores an image and its versions, and returns its columns. Throws badInputError about `field` if it cannot be decoded; then nothing
 * is stored.
 */
async function storeImage(
  bytes: Uint8Array,
  description: ImageDescription,
  source: Source,
  { settings, writes, viewer }: Context,
  { field, withSizes }: { readonly field: string; readonly withSizes: boolean },
) {
  const half = settings.requestTimeout / 2
  const { signal } = writes.current().progress
  const options = { client: viewer?.id, maxWaitMs: half, maxTimeMs: half, signal, withSizes }
  const versions = await makeImageVersions(bytes, description, options).catch((error: unknown) => {
    throw error instanceof DamagedImageError ? badInputError({ [field]: error.message }) : error
  })
  const { mimeType, extension, width, height, bytes: full } = versions.full
  const url = `${imagesPath}/${await saveImage(settings.imagesDir, full, extension)}`
  const file = { url, mimeType, width, height, fileSize: full.length }
  const columns = { ...file, ...(await saveVersions(settings.imagesDir, versions)), sizeRules: sizeRulesVersion }
  /** `title` is the default title of the image. */
  return { title: titleFromFileName(source), columns }
}

export async function saveVersions(folder: string, { sizes, alternates }: Pick<ImageVersions, 'sizes' | 'alternates'>) {
  const saveAll = async (versions: readonly ImageVersion[]) => {
    const saved: StoredImageVersion[] = []
    for (const { name, bytes, extension, mimeType, width, height } of versions) {
      const url = `${imagesPath}/${await saveImage(folder, bytes, extension)}`
      saved.push({ name, url, mimeType, width, height, fileSize: bytes.length })
    }
    return saved
  }
  return { sizes: await saveAll(sizes), alternates: await saveAll(alternates) }
}

/** The name of the file without its extension. */
export function titleFromFileName(source: Source): string {
  const path = typeof source === 'string' ? (URL.parse(source)?.pathname ?? '') : `/${source.name}`
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[a-z0-9]{1,5}$/i, '')
  return shortLine(typeof source === 'string' ? decoded(name) : name)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** One line of text, cut to the length of a title. NUL cannot be stored. */
const shortLine = (text: string): string =>
  (readLineInput(text.replaceAll('\0', '')) ?? '').slice(0, 800).toWellFormed()

/** A new image in an input, and its path in the input. */
export interface InputImage {
  readonly source: Source
  readonly path: InputProblem['path']
}

/** Returns the problems of images that need no query to be found; none for visitors, whose mutation fails anyway. */
export function findImageProblems(images: readonly InputImage[], { viewer }: Context): InputProblem[] {
  if (viewer === undefined) return []
  const allowed = [...new Set(images.map(({ source }) => source))].slice(0, maxImages)
  const errorOf = (source: Source): string | undefined => {
    if (!may(viewer, 'upload'))
      return 'Adding images requires the right to upload files. Send the ID of an existing image instead.'
    if (!allowed.includes(source)) return `At most ${maxImages} new images are allowed per operation.`
    const isLong = typeof source === 'string' && source.length > maxUrlLength
    return isLong ? `A URL can have at most ${maxUrlLength} characters.` : undefined
  }
  return images.flatMap(({ source, path }) => {
    const message = errorOf(source)
    return message === undefined ? [] : { path, message }
  })
}

/** Returns the description of a file, or an error message. Memoized, because several inputs may have the same file. */
const checkFile = memoizeByObject(async (file: File) => checkImage(new Uint8Array(await file.arrayBuffer())))

export async function findFileProblems(images: readonly InputImage[], { viewer }: Context): Promise<InputProblem[]> {
  const problems: InputProblem[] = []
  for (const { source, path } of may(viewer, 'upload') ? images : []) {
    const message = typeof source === 'string' ? undefined : await checkFile(source)
    if (typeof message === 'string') problems.push({ path, message })
  }
  return problems
}

export async function findImagesToDownload(images: readonly InputImage[], context: Context): Promise<InputImage[]> {
  if (context.viewer === undefined) return []
  const missing: InputImage[] = []
  for (const image of images) {
    const isStored = typeof image.source === 'string' && (await findStoredImage(context.reads, image.source, context))
    if (!isStored) missing.push(image)
  }
  return missing
}

/**
 * Downloads and stores images. Uses at most half of the request timeout and leaves the other half for the write. Throws
 * badInputError that lists every file that is not an image or could not be downloaded.
 */
export async function downloadImages(missing: readonly InputImage[], context: Context): Promise<void> {
  const deadline = performance.now() + context.settings.requestTimeout / 2
  const problems: InputProblem[] = []
  for (const [source, uses] of Map.groupBy(missing, (image) => image.source)) {
    try {
      const isAddress = typeof source === 'string'
      const stored = await (isAddress ? storeFromUrl(source, deadline, context) : storeFile(source, context))
      fetchedFiles(context).set(source, stored)
    } catch (error) {
      const [problem] = toInputProblems(error)
      for (const { path } of uses) problems.push({ path, message: problem?.message ?? '' })
    }
  }
  if (problems.length > 0) throw inputProblemsError(problems)
}

async function storeFile(file: File, context: Context): Promise<StoredImage> {
  const description = await checkFile(file)
  if (typeof description === 'string') throw badInputError({ imageFile: description })
  const bytes = new Uint8Array(await file.arrayBuffer())
  return storeImage(bytes, description, file, context, { field: 'imageFile', withSizes: true })
}

/** Downloads and stores one image until `deadline`, a time of performance.now(). Throws badInputError. */
export async function storeFromUrl(
  source: string,
  deadline: number,
  context: Context,
  withSizes = true,
): Promise<StoredImage> {
  const timeout = Math.max(1, Math.round(deadline - performance.now()))
  const { imagePrivateHosts: privateHosts, imageBytes: maxBytes } = context.settings
  const { bytes, ...description } = await downloadImage(source, { privateHosts, maxBytes, timeout })
  return storeImage(bytes, description, source, context, { field: 'imageUrl', withSizes })
}

/** Contexts of operations that run without storing anything, and so accept images that are not stored yet. */
export const dryRunContexts = new WeakSet<Context>()

/** Finds all new images in an input. Ignores custom fields, in which `imageUrl` is no image of the record. */
export function findNewImages(input: unknown, path: InputProblem['path'] = []): InputImage[] {
  if (typeof input !== 'object' || input === null || input instanceof Date) return []
  return Object.entries(input).flatMap(([key, value]): InputImage[] => {
    if (key === 'customFields') return []
    const itemPath = [...path, Array.isArray(input) ? Number(key) : key]
    const isSource = (key === 'imageUrl' && typeof value === 'string') || (key === 'imageFile' && value != null)
    return isSource ? [{ source: value as Source, path: itemPath }] : findNewImages(value, itemPath)
  })
}

/** The ID of an image, or the file of a new image. Undefined keeps the image of a record, null removes it. */
export type ResolvedImage = number | null | undefined | { readonly file: StoredImage; readonly address: string | null }

interface ImageInput {
  readonly imageId?: string | null | undefined
  readonly imageUrl?: string | null | undefined
  readonly imageFile?: File | null | undefined
}

/** Resolves the image of an input. Throws badInputError for an unknown image. */
export async function resolveImageInput(
  tx: Tx,
  { imageId, imageUrl, imageFile }: ImageInput,
  context: Context,
): Promise<ResolvedImage> {
  const source = imageFile ?? imageUrl
  if (source == null) {
    const id = parseReferenceId('image', imageId, 'imageId')
    if (id == null || (await tx.image.count({ where: { AND: [{ id }, usableImagesFilter(context)] } })) > 0) return id
    throw badInputError({ imageId: 'There is no image with this ID, or you may not use it.' })
  }
  if (imageId != null || (imageFile != null && imageUrl != null)) {
    throw badInputError({ imageId: 'Set only one of imageId, imageUrl and imageFile.' })
  }
  const address = typeof source === 'string' ? source : null
  const stored = address === null ? null : await findStoredImage(tx, address, context)
  if (stored) return stored.id
  const file = fetchedFiles(context).get(source)
  if (!file && dryRunContexts.has(context)) return null
  if (!file)
    throw badInputError({ [address === null ? 'imageFile' : 'imageUrl']: 'The image could not be downloaded.' })
  return { file, address }
}

/** Returns the ID of the image, and inserts a row for a new file. */
export async function ensureImageRow(
  tx: Tx,
  image: ResolvedImage,
  context: Context,
  options: NewImage = {},
): Promise<number | null | undefined> {
  if (typeof image !== 'object' || image === null) return image
  const { file, address } = image
  // Another part of the same input may have inserted it meanwhile.
  const stored = address === null ? null : await findStoredImage(tx, address, context)
  return stored ? stored.id : createImage(tx, file, address, context, options)
}

/** Values of a new image, by default the next ID and the title from the file name. */
type NewImage = ImageTextChange & { readonly recordId?: number | undefined }

export async function createImage(
  tx: Tx,
  { columns, title: fileTitle }: StoredImage,
  sourceUrl: string | null,
  context: Context,
  { recordId, title, altText, caption, credit }: NewImage = {},
): Promise<number> {
  const { viewer, now, language } = context
  const authorId = viewer ? authorIdOf(viewer) : null
  const data = { ...columns, id: recordId, sourceUrl, authorId, createdAt: now, modifiedAt: now }
  const { id } = await tx.image.create({ data, select: { id: true } })
  const own = (text: string | null | undefined) => readLineInput(text) || undefined
  const text = { title: shortLine(title ?? '') || fileTitle, altText: own(altText), caption: own(caption) }
  await writeImageTexts(tx, id, new Map([[language, { ...text, credit: own(credit) }]]), context)
  return id
}

/** Finds the image that has or had this URL, or that was downloaded from this URL. */
function findStoredImage(
  reads: { readonly image: Pick<Tx['image'], 'findFirst'> },
  url: string,
  { settings }: Context,
) {
  const path = url.startsWith(`${settings.publicUrl}${imagesPath}/`) ? url.slice(settings.publicUrl.length) : url
  return reads.image.findFirst({
    where: { OR: [{ url: path }, { sourceUrl: url }, { formerUrl: path }] },
    orderBy: { id: 'asc' },
    select: { id: true },
  })
}
