// The thread that cleans long HTML.
import '../compile-cache.ts'
import { parentPort } from 'node:worker_threads'
import { safeHtml } from './clean.ts'
import type { Message } from './clean-html.ts'

parentPort?.on('message', ({ id, html }: Message) => {
  parentPort?.postMessage({ id, html: safeHtml(html) } satisfies Message)
})
