// Serves image files. Their names are hashes of their content, so that responses are immutable.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../../service/context.ts'
import { imagePath, imagesPath, mimeTypes } from './files.ts'

const types: Readonly<Record<string, string>> = mimeTypes

export function serveImageFiles(app: FastifyInstance, { db, settings }: Pick<Environment, 'db' | 'settings'>): void {
  const folder = settings.imagesDir
  app.get<{ Params: { name: string } }>(`${imagesPath}/:name`, async ({ params: { name } }, reply) => {
    const path = imagePath(folder, name)
    const file = path === undefined ? undefined : await stat(path).catch(() => undefined)
    const type = types[name.split('.').at(-1) ?? '']
    if (path === undefined || !type) return reply.callNotFound()
    if (!file) {
      // Not 301, which browsers keep: the image may get another file, or the former one again.
      const image = await db.image.findFirst({ where: { formerUrl: `${imagesPath}/${name}` }, select: { url: true } })
      return image ? reply.redirect(`${settings.publicUrl}${image.url}`, 302) : reply.callNotFound()
    }
    return reply
      .type(type)
      .headers({
        'content-length': file.size,
        etag: `W/"${name}"`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      })
      .send(createReadStream(path))
  })
}
