// Sanitizes HTML. Long texts are sanitized in a worker thread, so that they do not block the event loop.
import { Worker } from 'node:worker_threads'
import { toSafeHtml } from './sanitize.ts'

/** Characters. Sanitizing shorter texts is faster than sending them to the thread. */
const maxInlineLength = 5000

export const sanitizeHtmlText = async (html: string): Promise<string> =>
  html.length > maxInlineLength ? cleanInThread(html) : toSafeHtml(html)

/** A message to the worker thread with HTML, or its reply with the sanitized HTML. */
export interface SanitizerMessage {
  readonly id: number
  readonly html: string
}

interface Thread {
  readonly worker: Worker
  readonly pending: Map<number, PromiseWithResolvers<string>>
}

let thread: Thread | undefined
let lastId = 0

function cleanInThread(html: string): Promise<string> {
  thread ??= start()
  const { worker, pending: waiting } = thread
  const cleaned = Promise.withResolvers<string>()
  lastId += 1
  waiting.set(lastId, cleaned)
  // The thread keeps the process alive only while a result is pending.
  worker.ref()
  worker.postMessage({ id: lastId, html } satisfies SanitizerMessage)
  return cleaned.promise
}

function start(): Thread {
  const execArgv = ['--import', new URL('../../basics/compile-cache.js', import.meta.url).href]
  const worker = new Worker(new URL('./sanitize-worker.ts', import.meta.url), { execArgv })
  const started: Thread = { worker, pending: new Map() }
  const { pending: waiting } = started
  worker.on('message', ({ id, html }: SanitizerMessage) => {
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
