import { parentPort } from 'node:worker_threads'
import { safeHtml } from './sanitize.ts'
import type { Message } from './sanitize-html.ts'

parentPort?.on('message', ({ id, html }: Message) => {
  parentPort?.postMessage({ id, html: safeHtml(html) } satisfies Message)
})
