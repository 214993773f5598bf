import { parentPort } from 'node:worker_threads'
import { toSafeHtml } from './sanitize.ts'
import type { SanitizerMessage } from './sanitize-html.ts'

parentPort?.on('message', ({ id, html }: SanitizerMessage) => {
  parentPort?.postMessage({ id, html: toSafeHtml(html) } satisfies SanitizerMessage)
})
