import { createHash } from 'node:crypto'
import { formatDocument, stringifyDocument } from '@urql/core'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import * as generated from './src/gql/graphql.ts'

/** Address of the service for `npm run dev`, which builds while you type. */
const target = { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:4000', xfwd: true }

/** Writes the operations as Graphcache sends them, for services that run only trusted documents. */
const trustedDocuments: Plugin = {
  name: 'trusted-documents',
  apply: 'build',
  generateBundle() {
    const texts = Object.entries(generated)
      .filter(([name]) => name.endsWith('Document'))
      .map(([, document]) => stringifyDocument(formatDocument(document)))
    const byHash = texts.map((text) => [createHash('sha256').update(text).digest('hex'), text])
    this.emitFile({ type: 'asset', fileName: 'documents.json', source: JSON.stringify(Object.fromEntries(byHash)) })
  },
}

export default defineConfig(({ command }) => ({
  // The service writes the path of PUBLIC_URL before the paths in the page.
  base: command === 'build' ? './' : '/edit/',
  plugins: [react(), trustedDocuments],
  server: {
    // Everything but the editor itself comes from the service.
    proxy: { '^/(?!edit/)': target, '^/edit/theme\\.css$': target },
  },
  build: { target: 'baseline-widely-available', assetsInlineLimit: 0 },
}))
