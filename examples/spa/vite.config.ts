import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Address of the service. */
const service = process.env.SERVICE_URL ?? 'http://127.0.0.1:4000'
const target = { target: service, xfwd: true }

/** The app and the service share one origin: GraphQL, image files and calendar files come from the service. */
const proxy = {
  '^/(?:[a-z]{2}/)?graphql(?:\\?|$)': target,
  '^/images/': target,
  '^/.*\\.ics(?:\\?|$)': target,
  '^/.*[?&]ical=1(?:&|$)': target,
}

/** The headers that a web server should send with the built app. */
const headers = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' blob: data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
}

export default defineConfig({
  plugins: [react()],
  server: { proxy },
  preview: { proxy, headers },
  build: { target: 'baseline-widely-available', assetsInlineLimit: 0 },
})
