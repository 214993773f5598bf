// Headers and links by which clients of the legacy contract find the REST API from a page (contract i.5).
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'

interface PageWithRestApi {
  readonly restPath?: string
  readonly language: string
  readonly settings: Settings
}

/** Returns the URL of the index of the REST API, and that of the REST resource that has the content of the page. */
function rootsOf({ restPath = '/', settings, language }: PageWithRestApi) {
  const { publicUrl, defaultLanguage, restPrefix, restNamespace } = settings
  const platform = `${publicUrl}${language === defaultLanguage ? '' : `/${language}`}${restPrefix}/`
  return { platform, api: `${platform}${restNamespace}${restPath}` }
}

const versionOf = (namespace: string): string => namespace.split('/').at(-1) ?? ''

export function restApiHeaders(page: PageWithRestApi): Readonly<Record<string, string>> {
  const { legacyAddresses, restEnabled, restHeaderPrefix, restNamespace, publicUrl } = page.settings
  if (!legacyAddresses) return {}
  if (!restEnabled) return { [`${restHeaderPrefix}-API-VERSION`]: 'disabled' }
  const { platform, api } = rootsOf(page)
  return {
    [`${restHeaderPrefix}-API-VERSION`]: versionOf(restNamespace),
    [`${restHeaderPrefix}-API-ROOT`]: api,
    [`${restHeaderPrefix}-API-ORIGIN`]: publicUrl,
    link: `<${platform}>; rel="https://api.w.org/"`,
  }
}

export function restApiLinkTags(page: PageWithRestApi): string {
  const { legacyAddresses, restEnabled, restHeaderPrefix, restNamespace, publicUrl } = page.settings
  if (!legacyAddresses || !restEnabled) return ''
  const { platform, api } = rootsOf(page)
  const name = restHeaderPrefix.replace(/^x-/i, '').toLowerCase()
  return html`<meta name="${name}-api-version" content="${versionOf(restNamespace)}">
<meta name="${name}-api-origin" content="${publicUrl}">
<link rel="https://api.w.org/" href="${platform}">
<link rel="alternate" type="application/json" title="REST API" href="${api}">
`
}
