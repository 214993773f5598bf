// The process that makes versions of images: see versions.ts.
import { DamagedImage } from './files.ts'
import type { Job, Reply } from './versions.ts'

async function replyTo({ bytes, description, withSizes }: Job): Promise<Reply> {
  const encoder = await import('./encode-versions.ts').catch(String)
  if (typeof encoder === 'string') return { libraryError: encoder }
  try {
    return { versions: await encoder.encodeVersions(bytes, description, withSizes) }
  } catch (error) {
    const damaged = 'The image is damaged or incomplete. Send a complete JPEG, PNG, GIF, WebP or AVIF file.'
    return { problem: error instanceof DamagedImage ? error.message : damaged }
  }
}

process.on('message', async (job: Job) => process.send?.(await replyTo(job)))

// The service decides when this process ends. `exit` would wait for what the library does.
process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined)
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
