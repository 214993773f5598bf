import { describe, expect, it } from 'vitest'
import { createLinkBuilder } from '../../src/apis/rest/urls.ts'

const rest = 'https://example.test/fr/cal/events/v1'
const urls = (language?: string, site = 'https://example.test') =>
  createLinkBuilder({
    rest,
    site,
    language: language === undefined ? undefined : { name: 'translation_language', value: language },
  })

describe('links', () => {
  it.each([
    ['/events/12', undefined, undefined, '/events/12'],
    ['/events/12', undefined, 'es', '/events/12?translation_language=es'],
    ['/events/', { page: 2, per_page: undefined, status: 'publish' }, undefined, '/events/?page=2&status=publish'],
    ['/events/', { start_date: '2026-01-01 00:00:00' }, undefined, '/events/?start_date=2026-01-01%2000%3A00%3A00'],
    ['/events/', { search: 'a&b=ç' }, undefined, '/events/?search=a%26b%3D%C3%A7'],
    ['/events/', { page: 1 }, 'fr', '/events/?page=1&translation_language=fr'],
  ])('%s with %j in language %s', (path, query, language, expected) => {
    expect(urls(language).link(path, query)).toBe(`${rest}${expected}`)
  })
})

describe('global IDs contain host and path of the site without scheme', () => {
  it.each([
    ['https://example.test', 'example.test?id=7'],
    ['http://localhost:4000', 'localhost:4000?id=7'],
    ['https://example.test/calendar', 'example.test/calendar?id=7'],
  ])('%s: %s', (site, expected) => {
    expect(urls(undefined, site).globalId(7)).toBe(expected)
  })
})
