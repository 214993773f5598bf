// Which fields of records are cached is decided where they are defined: a field that is missing here is resolved each time.
import { isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { isCacheable, isRecordType } from '../../../src/graphql/execution/preloaded-fields.ts'
import { createSchema } from '../../../src/graphql/schema.ts'

const types = Object.values(createSchema(['en']).getTypeMap()).filter(isObjectType)

test('fields of records that are not cached are those that read more than the record', () => {
  const resolvedEachTime = types.filter(isRecordType).flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => field.args.length === 0 && !isCacheable(type, field))
      .map(({ name }) => `${type.name}.${name}`),
  )
  expect(resolvedEachTime.sort()).toMatchInlineSnapshot(`
    [
      "Category.translations",
      "Event.translations",
      "Organizer.translations",
      "Tag.translations",
      "User.createdAt",
      "User.credentials",
      "User.email",
      "User.login",
      "User.role",
      "Venue.translations",
      "Viewer.rights",
    ]
  `)
})

test('Pothos keeps the resolver and the selection of a field where preloaded-fields.ts looks for them', () => {
  const event = types.find(({ name }) => name === 'Event')?.getFields() ?? {}
  expect(event.title?.extensions).toMatchObject({
    pothosPrismaSelect: expect.any(Function),
    pothosOriginalResolve: expect.any(Function),
  })
  expect(event.timeZone?.extensions).toMatchObject({ pothosExposedField: 'timeZone' })
  expect(event.parent?.extensions).toMatchObject({ pothosPrismaRelationField: { name: 'parent' } })
})
