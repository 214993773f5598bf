import { expect, it } from 'vitest'
import { serializeTag } from '../../../src/apis/rest/terms.ts'
import { json, presentation, rest, site, tag } from '../fragments.ts'

it('a tag has exactly the fields of the contract', () => {
  expect(json(serializeTag(tag, presentation))).toStrictEqual({
    id: 6,
    name: 'Free',
    slug: 'free',
    taxonomy: 'post_tag',
    description: '',
    parent: 0,
    count: 0,
    meta: [],
    url: `${site}/tag/free/`,
    urls: { self: `${rest}/tags/6`, collection: `${rest}/tags` },
  })
})

it('a name is escaped', () => {
  expect(serializeTag({ ...tag, name: 'R&B <x>' }, presentation).name).toBe('R&amp;B &lt;x&gt;')
})
