import type { Settings } from '../../../basics/env.ts'
import { suggestionsPath } from '../page.ts'

/** The file robots.txt. Crawlers may read pages and feeds, but not the APIs and the suggestions of the search. */
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
