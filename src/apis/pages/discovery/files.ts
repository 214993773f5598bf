// robots.txt, and the OpenSearch description, by which browsers offer the search of the site.
import type { Settings } from '../../../basics/env.ts'
import { escapeXml } from '../../../basics/xml.ts'
import { messagesOf } from '../messages.ts'
import { homeUrl, openSearchMediaType, openSearchPath, suggestionsMediaType, suggestionsPath } from '../page.ts'

export function robotsTxt({
  publicUrl,
  searchEngines,
  languages,
  legacyAddresses,
  restPrefix,
  restNamespace,
}: Settings): string {
  if (!searchEngines) return 'User-agent: *\nDisallow: /\n'
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  const apis = ['', ...languages.map((language) => `/${language}`)].flatMap((root) => [
    `${base}${root}/graphql`,
    `${base}${root}${restPrefix}/${restNamespace}`,
    ...(legacyAddresses ? [`${base}${root}${restPrefix}/wp/v2`] : []),
  ])
  const disallowed = [...apis, ...languages.map((language) => `${base}${suggestionsPath(language)}`)]
  const lines = [
    'User-agent: *',
    ...disallowed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ]
  return `${lines.join('\n')}\n`
}

/** ShortName may have 16 characters, LongName 48 (OpenSearch 1.1). */
export function openSearchXml(language: string, settings: Settings): string {
  const { siteName, publicUrl } = settings
  const name = [...siteName]
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${escapeXml(name.slice(0, 16).join(''))}</ShortName>
<LongName>${escapeXml(name.slice(0, 48).join(''))}</LongName>
<Description>${escapeXml(`${messagesOf(language).search} – ${name.slice(0, 200).join('')}`)}</Description>
<Language>${language}</Language>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
<Image width="32" height="32" type="image/x-icon">${escapeXml(`${publicUrl}/favicon.ico`)}</Image>
<Url type="text/html" template="${escapeXml(`${homeUrl(language, settings)}?search={searchTerms}&page={startPage?}`)}"/>
<Url type="application/rss+xml" template="${escapeXml(`${publicUrl}/${language}/events.rss?search={searchTerms}`)}"/>
<Url type="${suggestionsMediaType}" template="${escapeXml(`${publicUrl}${suggestionsPath(language)}?prefix={searchTerms}`)}"/>
<Url type="${openSearchMediaType}" rel="self" template="${escapeXml(`${publicUrl}${openSearchPath(language)}`)}"/>
</OpenSearchDescription>
`
}
