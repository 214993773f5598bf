// Makes the sizes of images that were stored without them, removes metadata from their files, and measures images on other
// servers.
import { readFile, rm } from 'node:fs/promises'
import type { Settings } from '../../../basics/env.ts'
import { DomainError } from '../../../basics/errors.ts'
import type { Db } from '../../../engine/postgres/client.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { downloadImage } from './download.ts'
import { checkImage, DamagedImageError, imagePath, imagesPath, imageUrlsSql, saveImage } from './files.ts'
import { type ImageVersions, makeImageVersions, sizeRulesVersion } from './versions.ts'
import { saveVersions } from './write.ts'

interface SizesReport {
  /** Images whose sizes were made. */
  sized: number
  /** Images whose metadata was removed. They have a new URL. */
  cleaned: number
  /** Images on other servers whose width and height are known now. */
  measured: number
  readonly failed: { readonly id: number; readonly url: string; readonly problem: string }[]
}

interface Target {
  readonly db: Db
  readonly settings: Settings
}

interface Options {
  /** Whether another database may use the files: then the files with metadata are not deleted. */
  readonly isShared: boolean
  readonly show: (done: number, total: number) => void
}

type StoredImage = Pick<Prisma.ImageGetPayload<object>, 'id' | 'url' | 'sizes' | 'sizeRules'>

const isStored = { url: { startsWith: `${imagesPath}/` } }

/**
 * Makes the missing sizes of all images. Stores each image at once, so that an interrupted run continues where it stopped.
 * Reports an image that fails; the next run tries the image again.
 */
export async function makeMissingImageSizes(target: Target, { isShared, show }: Options): Promise<SizesReport> {
  const report: SizesReport = { sized: 0, cleaned: 0, measured: 0, failed: [] }
  const images = await target.db.image.findMany({
    where: {
      OR: [
        { ...isStored, sizeRules: { lt: sizeRulesVersion } },
        { NOT: isStored, OR: [{ width: null }, { height: null }] },
      ],
    },
    orderBy: { id: 'asc' },
    select: { id: true, url: true, sizes: true, sizeRules: true },
  })
  for (const [index, image] of images.entries()) {
    show(index, images.length)
    const isOwn = image.url.startsWith(`${imagesPath}/`)
    try {
      if (isOwn) {
        if (await processFile(target, image, isShared)) report.cleaned += 1
        if (image.sizeRules === 0) report.sized += 1
      } else {
        await measure(target, image)
        report.measured += 1
      }
    } catch (error) {
      const isExpected =
        error instanceof DamagedImageError || (error instanceof DomainError && error.code === 'BAD_INPUT')
      if (!isExpected) throw error
      report.failed.push({ id: image.id, url: image.url, problem: error.message })
    }
  }
  return report
}

const maxTimeMs = 60_000

/** Makes the sizes of a file and removes its metadata. Returns whether the file had metadata. */
async function processFile({ db, settings }: Target, image: StoredImage, isShared: boolean): Promise<boolean> {
  const { id, url } = image
  const { imagesDir } = settings
  const path = imagePath(imagesDir, url.slice(imagesPath.length + 1))
  const bytes = path === undefined ? undefined : await readFile(path).catch(() => undefined)
  if (path === undefined || !bytes) throw new DamagedImageError('The file is missing.')
  const description = checkImage(bytes)
  if (typeof description === 'string') throw new DamagedImageError(description)
  const withSizes = image.sizeRules === 0
  const versions = await makeImageVersions(bytes, description, {
    maxWaitMs: Number.POSITIVE_INFINITY,
    maxTimeMs,
    withSizes,
  })
  const { full } = versions
  const fullUrl = `${imagesPath}/${await saveImage(imagesDir, full.bytes, full.extension)}`
  const isCleaned = fullUrl !== url
  const data = {
    ...{ width: full.width, height: full.height, fileSize: full.bytes.length, sizeRules: sizeRulesVersion },
    ...(isCleaned ? { url: fullUrl, formerUrl: url } : {}),
    ...(withSizes ? await newSizes(imagesDir, versions, image) : {}),
  }
  // Another file may have replaced this one meanwhile.
  await db.image.updateMany({ where: { id, url }, data })
  if (isCleaned && !isShared && !(await isUsed(url, db))) await rm(path, { force: true })
  return isCleaned
}

/** Returns the sizes to store. Sizes that were imported from another site stay. */
async function newSizes(folder: string, versions: ImageVersions, { sizes }: StoredImage) {
  const saved = await saveVersions(folder, versions)
  const hasSizes = Array.isArray(sizes) && sizes.length > 0
  return hasSizes ? { alternates: saved.alternates } : saved
}

async function isUsed(url: string, db: Db): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT FROM (${Prisma.raw(imageUrlsSql)}) AS used WHERE url = ${url} LIMIT 1`
  return rows.length > 0
}

async function measure({ db, settings }: Target, { id, url }: StoredImage): Promise<void> {
  const { imagePrivateHosts: privateHosts, imageBytes: maxBytes, requestTimeout: timeout } = settings
  const { width, height, mimeType, bytes } = await downloadImage(url, { privateHosts, maxBytes, timeout })
  await db.image.updateMany({ where: { id, url }, data: { width, height, mimeType, fileSize: bytes.length } })
}
