// Images of a record: the file, and the smaller versions that the site made of it.
import { decodeHTML } from 'entities'
import { z } from 'zod'
import { identifier } from './fields.ts'
import type { SourceImage } from './source-records.ts'

/** Limits the downloads of one image. WordPress generates about ten sizes. */
const maxSizes = 20

/** Zero and text that is no number mean that the site does not know it. */
const measure = z.coerce.number().int().positive().max(2_147_483_647).optional().catch(undefined)

const mimeType = z
  .string()
  .regex(/^image\/[\w.+-]{1,60}$/)
  .optional()
  .catch(undefined)

const file = z.object({ url: z.string(), width: measure, height: measure, filesize: measure, 'mime-type': mimeType })

const image = z.object({ ...file.shape, id: identifier, sizes: z.record(z.string(), z.unknown()).catch({}) })

/** Undefined if the value is not an image with an absolute URL, or one relative to `root`. */
export function readImage(value: unknown, root: URL): SourceImage | undefined {
  const { data } = image.safeParse(typeof value === 'string' && value !== '' ? { url: value } : value)
  const main = data && readFile(data, root)
  if (!data || !main) return undefined
  const sizes = Object.entries(data.sizes).flatMap(([name, size]) => {
    const parsed = file.safeParse(size).data
    const version = parsed && readFile(parsed, root)
    return version ? [{ name: name.slice(0, 100), ...version }] : []
  })
  return { id: data.id, ...main, sizes: sizes.slice(0, maxSizes) }
}

function readFile({ url, width, height, filesize, 'mime-type': type }: z.output<typeof file>, root: URL) {
  const absolute = URL.parse(decodeHTML(url), root)
  if (!absolute || !/^https?:$/.test(absolute.protocol)) return undefined
  return { url: absolute.href, width, height, fileSize: filesize, mimeType: type }
}
