import { expect, it } from 'vitest'
import { serializeImage, serializeOrganizer } from '../../../src/apis/rest/posts.ts'
import type { LegacyOrganizerFieldsFragment } from '../../../src/generated/graphql/graphql.ts'
import { image, json, organizer, postJson, presentation, site } from '../fragments.ts'

const shown = (changes: Partial<LegacyOrganizerFieldsFragment> = {}) =>
  json(serializeOrganizer({ ...organizer, ...changes }, presentation))

const club = { ...postJson(9), url: `${site}/organizer/club/`, organizer: 'Club', slug: 'club' }

it('an organizer omits every field that is empty', () => {
  expect(shown()).toStrictEqual(club)
})

it('an organizer shows every field that is set', () => {
  const contact = { phone: '555', website: 'https://club.example', email: 'club@example.test' }
  const text = { descriptionHtml: '<p>We</p>', excerptHtml: '<p>W</p>' }
  expect(shown({ ...contact, ...text, image })).toStrictEqual({
    ...club,
    ...contact,
    description: '<p>We</p>',
    excerpt: '<p>W</p>',
    image: json(serializeImage(image)),
  })
})

it('a name is escaped', () => {
  expect(shown({ name: 'A & B <x>' }).organizer).toBe('A &amp; B &lt;x&gt;')
})

it('an organizer without an author omits it', () => {
  expect(shown({ author: null })).not.toHaveProperty('author')
})

it('a locked organizer shows its name and empty values of withheld fields', () => {
  const withheld = { descriptionHtml: null, excerptHtml: null, phone: null, website: null, email: null }
  expect(shown({ locked: true, ...withheld })).toStrictEqual(club)
  expect(shown({ locked: true, ...withheld, withheldFields: ['email'] })).toStrictEqual({ ...club, email: '' })
  const all = ['description', 'excerpt', 'image', 'phone', 'website', 'email']
  expect(shown({ locked: true, ...withheld, withheldFields: all })).toStrictEqual({
    ...club,
    description: '',
    excerpt: '',
    image: false,
    phone: '',
    website: '',
    email: '',
  })
})
