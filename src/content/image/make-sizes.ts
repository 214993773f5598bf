// Makes the sizes of images that were stored without them, and measures images on other servers.
import { readFile } from 'node:fs/promises'
import type { Db } from '../../db/client.ts'
import type { Settings } from '../../env.ts'
import { DomainError } from '../../errors.ts'
import { fetchImage } from './download.ts'
import { checkImage, imagePath, imagesRoot } from './files.ts'
import { DamagedImage, makeVersions, sizeRules } from './versions.ts'
import { saveVersions, versionsJson } from './write.ts'

interface SizesReport {
  /** Images whose sizes were made. */
  sized: number
  /** Images on other servers whose width and height are known now. */
  measured: number
  readonly failed: { readonly id: number; readonly url: string; readonly problem: string }[]
}

interface Target {
  readonly db: Db
  readonly settings: Settings
}

interface StoredImage {
  readonly id: number
  readonly url: string
  readonly sizes: unknown
}

const isStored = { url: { startsWith: `${imagesRoot}/` } }

/**
 * Each image is written when its sizes are done, so that an interrupted run continues where it stopped. An image that fails
 * is reported, and tried again by the next run.
 */
export async function makeMissingSizes(
  target: Target,
  show: (done: number, total: number) => void,
): Promise<SizesReport> {
  const report: SizesReport = { sized: 0, measured: 0, failed: [] }
  const images = await target.db.image.findMany({
    where: {
      OR: [
        { ...isStored, sizeRules: { lt: sizeRules } },
        { NOT: isStored, OR: [{ width: null }, { height: null }] },
      ],
    },
    orderBy: { id: 'asc' },
    select: { id: true, url: true, sizes: true },
  })
  for (const [index, image] of images.entries()) {
    show(index, images.length)
    const isOwn = image.url.startsWith(`${imagesRoot}/`)
    try {
      await (isOwn ? makeSizes(target, image) : measure(target, image))
      report[isOwn ? 'sized' : 'measured'] += 1
    } catch (error) {
      const isExpected = error instanceof DamagedImage || (error instanceof DomainError && error.code === 'BAD_INPUT')
      if (!isExpected) throw error
      report.failed.push({ id: image.id, url: image.url, problem: error.message })
    }
  }
  return report
}

async function makeSizes({ db, settings }: Target, { id, url, sizes }: StoredImage): Promise<void> {
  const path = imagePath(settings.imagesDir, url.slice(imagesRoot.length + 1))
  const bytes = path === undefined ? undefined : await readFile(path).catch(() => undefined)
  if (!bytes) throw new DamagedImage('The file is missing.')
  const description = checkImage(bytes)
  if (typeof description === 'string') throw new DamagedImage(description)
  const versions = await makeVersions(bytes, description, { maxWait: Number.POSITIVE_INFINITY, withSizes: true })
  const saved = await saveVersions(settings.imagesDir, versions)
  // Keeps the address of the file, which pages may contain, and sizes that were imported from another site.
  const hasSizes = Array.isArray(sizes) && sizes.length > 0
  const { width, height } = versions.full
  const data = { ...(hasSizes ? {} : { sizes: versionsJson(saved.sizes) }), alternates: versionsJson(saved.alternates) }
  await db.image.updateMany({ where: { id }, data: { ...data, width, height, fileSize: bytes.length, sizeRules } })
}

async function measure({ db, settings }: Target, { id, url }: StoredImage): Promise<void> {
  const { imagePrivateHosts: privateHosts, imageBytes: maxBytes, requestTimeout: timeout } = settings
  const { width, height, mimeType, bytes } = await fetchImage(url, { privateHosts, maxBytes, timeout })
  await db.image.updateMany({ where: { id }, data: { width, height, mimeType, fileSize: bytes.length } })
}
