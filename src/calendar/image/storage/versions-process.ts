// The child process that makes versions of images: see versions.ts.
import { writeFile } from 'node:fs/promises'
import { DamagedImageError } from './files.ts'
import type { ImageVersionsReply, ImageVersionsRequest } from './versions.ts'

async function replyTo({ bytes, description, withSizes }: ImageVersionsRequest): Promise<ImageVersionsReply> {
  const encoder = await import('./encode-versions.ts').catch(String)
  if (typeof encoder === 'string') return { libraryError: encoder }
  try {
    return { versions: await encoder.encodeImageVersions(bytes, description, withSizes) }
  } catch (error) {
    const damaged = 'The image is damaged or incomplete. Send a complete JPEG, PNG, GIF, WebP or AVIF file.'
    return { problem: error instanceof DamagedImageError ? error.message : damaged }
  }
}

process.on('message', async (job: ImageVersionsRequest) => process.send?.(await replyTo(job)))

// On Linux: if memory runs out, the system ends this process before the service.
writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)

// The service ends this process by SIGKILL: `exit` would wait for running work of the library.
process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined)
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
