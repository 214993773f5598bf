import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Address of the service for `npm run dev`, which builds while you type. */
const target = { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:4000', xfwd: true }

export default defineConfig(({ command }) => ({
  // The service writes the path of PUBLIC_URL before the paths in the page.
  base: command === 'build' ? './' : '/edit/',
  plugins: [react()],
  server: {
    // Everything but the editor itself comes from the service.
    proxy: { '^/(?!edit/)': target, '^/edit/theme\\.css$': target },
  },
  build: { target: 'baseline-widely-available', assetsInlineLimit: 0 },
}))
