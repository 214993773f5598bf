// Makes the versions of an image that are stored: the image without private metadata, its smaller sizes, and the same in a
// media type with smaller files. A process of its own does it: a crafted file of some kilobytes can keep a decoder busy for
// hours in a single call, and only the end of the process interrupts that.
import { type ChildProcess, fork } from 'node:child_process'
import { DomainError } from '../../../basics/errors.ts'
import { createFairQueue } from '../../../basics/fair-queue.ts'
import { DamagedImageError, type ImageDescription } from './files.ts'

export interface ImageVersion extends ImageDescription {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The image as it is stored, its smaller sizes, and all of these in a media type with smaller files. */
export interface ImageVersions {
  readonly full: ImageDescription & { readonly bytes: Uint8Array }
  readonly sizes: readonly ImageVersion[]
  readonly alternates: readonly ImageVersion[]
}

/**
 * Version of the rules in this file. `images sizes` processes images of older versions: 0 have no sizes, 1 may have
 * metadata, and 2 may have hidden parts in AVIF files.
 */
export const sizeRulesVersion = 3

/** One image at a time, so that uploads leave CPU and memory to other requests. */
const queue = createFairQueue({
  maxWaiting: 20,
  maxOfClient: 10,
  tooMany: () =>
    new DomainError('UNAVAILABLE', 'Too many images are being processed. Retry in 10 seconds.', { retryAfter: 10 }),
})

type Turn = Parameters<typeof queue.run>[0]

interface Options extends Turn {
  readonly maxTimeMs: number
  readonly withSizes: boolean
}

/** Makes the versions of an image. Throws DamagedImageError, and UNAVAILABLE if too many images are waiting. */
export async function makeImageVersions(
  bytes: Uint8Array,
  description: ImageDescription,
  { maxTimeMs, withSizes, ...turn }: Options,
): Promise<ImageVersions> {
  const reply = await queue.run(turn, () => runInProcess({ bytes, description, withSizes }, maxTimeMs))
  if ('versions' in reply) return reply.versions
  if ('problem' in reply) throw new DamagedImageError(reply.problem)
  const message =
    'This service cannot process images, because its image library "sharp" does not load on this machine. Images by ID still work. The operator finds the reason in the log.'
  const cause = new Error(reply.libraryError)
  throw Object.assign(new DomainError('UNAVAILABLE', message, { retryAfter: 3600 }), { cause })
}

export interface ImageVersionsRequest {
  readonly bytes: Uint8Array
  readonly description: ImageDescription
  readonly withSizes: boolean
}

export type ImageVersionsReply =
  | { readonly versions: ImageVersions }
  | { readonly problem: string }
  /** The error message if sharp does not load. */
  | { readonly libraryError: string }

/** Milliseconds after which a process without work ends, and frees its memory. */
const maxIdleMs = 30_000

let current: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined

function start(): ChildProcess {
  const execArgv = ['--import', new URL('../../../engine/processes/preload.js', import.meta.url).href]
  const child = fork(new URL('./versions-process.ts', import.meta.url), { execArgv, serialization: 'advanced' })
  const forget = () => {
    if (current === child) current = undefined
  }
  return child.on('exit', forget).on('error', forget)
}

function end(child: ChildProcess): void {
  if (current === child) current = undefined
  child.kill('SIGKILL')
}

async function runInProcess(job: ImageVersionsRequest, maxTimeMs: number): Promise<ImageVersionsReply> {
  clearTimeout(idle)
  current ??= start()
  const child = current
  const { promise, resolve, reject } = Promise.withResolvers<ImageVersionsReply>()
  const timer = setTimeout(() => {
    end(child)
    resolve({
      problem: `Processing the image takes longer than ${maxTimeMs / 1000} seconds. Send one with fewer pixels, or retry when the service is less busy.`,
    })
  }, maxTimeMs)
  const ended = () => resolve({ problem: 'The image is damaged, or processing it takes too much memory.' })
  child.on('message', resolve).on('exit', ended).on('error', reject)
  // The child process keeps the service alive only while it works.
  child.ref()
  child.channel?.ref()
  child.send(job, (error) => error && ended())
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('message', resolve).off('exit', ended).off('error', reject)
    child.unref()
    child.channel?.unref()
    idle = setTimeout(end, maxIdleMs, child).unref()
  }
}
