// Serves image files. Their names are hashes of their content, so that responses are immutable.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { imagePath, imagesRoot } from './files.ts'

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}

export function imageFiles(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { name: string } }>(`${imagesRoot}/:name`, async ({ params: { name } }, reply) => {
    const path = imagePath(folder, name)
    const file = path === undefined ? undefined : await stat(path).catch(() => undefined)
    const type = types[name.split('.').at(-1) ?? '']
    if (path === undefined || !file || !type) return reply.callNotFound()
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
