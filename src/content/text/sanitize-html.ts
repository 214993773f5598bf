// Cleaning HTML takes time with each of its tags: that of long texts is cleaned by a thread, one text after the other,
// while requests are answered.
import { Worker } from 'node:worker_threads'
import { safeHtml } from './sanitize.ts'

/** Characters that are cleaned at once: that takes less than to hand them over. */
const short = 5000

export const cleanHtml = async (html: string): Promise<string> =>
  html.length > short ? inThread(html) : safeHtml(html)

/** What the thread is sent, and sends back. */
export interface Message {
  readonly id: number
  readonly html: string
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, PromiseWithResolvers<string>>
}

let thread: Thread | undefined
let last = 0

function inThread(html: string): Promise<string> {
  thread ??= start()
  const { worker, waiting } = thread
  const cleaned = Promise.withResolvers<string>()
  last += 1
  waiting.set(last, cleaned)
  // Only while something is waited for it keeps the process.
  worker.ref()
  worker.postMessage({ id: last, html } satisfies Message)
  return cleaned.promise
}

function start(): Thread {
  const worker = new Worker(new URL('./sanitize-worker.ts', import.meta.url), { execArgv: [] })
  const started: Thread = { worker, waiting: new Map() }
  const { waiting } = started
  worker.on('message', ({ id, html }: Message) => {
    waiting.get(id)?.resolve(html)
    waiting.delete(id)
    if (waiting.size === 0) worker.unref()
  })
  const fail = (error: Error) => {
    if (thread === started) thread = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`The thread that cleans HTML ended with code ${code}.`)))
  return started
}
