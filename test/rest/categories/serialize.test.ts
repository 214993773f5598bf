import { expect, it } from 'vitest'
import { serializeCategory } from '../../../src/apis/rest/terms.ts'
import { createLinkBuilder } from '../../../src/apis/rest/urls.ts'
import { category, json, presentation, rest, site } from '../fragments.ts'

const music = {
  id: 5,
  name: 'Music',
  slug: 'music',
  taxonomy: 'cal_events_cat',
  description: 'All that sounds',
  parent: 0,
  count: 2,
  meta: [],
  url: `${site}/events/category/music/`,
  urls: { self: `${rest}/categories/5`, collection: `${rest}/categories` },
}

it('a category has exactly the fields of the contract', () => {
  expect(json(serializeCategory(category, presentation))).toStrictEqual(music)
})

it('a child category links to its parent', () => {
  expect(json(serializeCategory({ ...category, parent: { databaseId: 4 } }, presentation))).toStrictEqual({
    ...music,
    parent: 4,
    urls: { ...music.urls, up: `${rest}/categories/4` },
  })
})

it('a name is escaped', () => {
  expect(serializeCategory({ ...category, name: 'R&B <x>' }, presentation).name).toBe('R&amp;B &lt;x&gt;')
})

it('links keep the requested language', () => {
  const french = createLinkBuilder({
    rest: `${site}/fr/cal/events/v1`,
    site,
    language: { name: 'translation_language', value: 'es' },
  })
  expect(serializeCategory(category, { ...presentation, urls: french }).urls).toEqual({
    self: `${site}/fr/cal/events/v1/categories/5?translation_language=es`,
    collection: `${site}/fr/cal/events/v1/categories?translation_language=es`,
  })
})
