// The record fields whose results are cached. Fields that are missing here are resolved each time.
import { type DocumentNode, isObjectType, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { expect, test } from 'vitest'
import { isCacheable, isRecordType } from '../../../src/engine/execution/preloaded-fields.ts'
import * as generated from '../../../src/generated/graphql/graphql.ts'
import { createSchema } from '../../../src/schema.ts'

const schema = createSchema(['en'])
const types = Object.values(schema.getTypeMap()).filter(isObjectType)

test('only fields that read more than the record are not cacheable', () => {
  const resolvedEachTime = types.filter(isRecordType).flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => field.args.length === 0 && !isCacheable(type, field))
      .map(({ name }) => `${type.name}.${name}`),
  )
  expect(resolvedEachTime.sort()).toMatchInlineSnapshot(`
    [
      "Category.translations",
      "Credential.expiresAt",
      "Credential.isCurrent",
      "Credential.kind",
      "Event.translations",
      "EventSeries.icalendar",
      "EventSeries.nextEvent",
      "EventSeries.translations",
      "Image.translations",
      "Organizer.translations",
      "Proposal.contactEmail",
      "Proposal.contactName",
      "Proposal.decidedBy",
      "Proposal.event",
      "Proposal.language",
      "Proposal.proposed",
      "Tag.translations",
      "User.createdAt",
      "User.credentials",
      "User.email",
      "User.locale",
      "User.login",
      "User.rights",
      "User.role",
      "Venue.translations",
      "Webhook.language",
      "Webhook.secretCount",
      "WebhookDelivery.dueAt",
      "WebhookDelivery.kind",
      "WebhookDelivery.recordId",
    ]
  `)
})

const documents = Object.values(generated).filter(
  (value): value is DocumentNode => typeof value === 'object' && 'definitions' in value,
)

/** Fields without arguments, as `Type.field`, that the operations of REST and of the pages select and that are not cached. */
function notCached(): string[] {
  const typeInfo = new TypeInfo(schema)
  const names = new Set<string>()
  const visitor = visitWithTypeInfo(typeInfo, {
    Field() {
      const [parent, field] = [typeInfo.getParentType(), typeInfo.getFieldDef()]
      if (!isObjectType(parent) || !field || field.args.length > 0) return
      if (!isCacheable(parent, field)) names.add(`${parent.name}.${field.name}`)
    },
  })
  for (const document of documents) visit(document, visitor)
  return [...names]
}

test('what the operations of REST and of the pages select of records is cached, but for translations, users and iCalendar of series', () => {
  expect(documents.length).toBeGreaterThan(30)
  const ofRecords = notCached().filter(
    (name) =>
      !/^(Query|Mutation|AuditEntry|AuditChange|EventCalendar|EventFacets|\w+(Facet|Page|Payload|Connection))\./.test(
        name,
      ),
  )
  expect(ofRecords.sort()).toMatchInlineSnapshot(`
    [
      "Category.translations",
      "Credential.expiresAt",
      "Credential.isCurrent",
      "Credential.kind",
      "Event.translations",
      "EventSeries.icalendar",
      "Organizer.translations",
      "Proposal.event",
      "Proposal.proposed",
      "ProposedEvent.address",
      "ProposedEvent.city",
      "ProposedEvent.cost",
      "ProposedEvent.description",
      "ProposedEvent.endsLocal",
      "ProposedEvent.organizerName",
      "ProposedEvent.startsLocal",
      "ProposedEvent.title",
      "ProposedEvent.venueName",
      "ProposedEvent.website",
      "RecordChange.cancelledSequence",
      "RecordChange.formerUids",
      "RecordChange.record",
      "SeriesCalendar.otherDates",
      "Tag.translations",
      "Translation.description",
      "Translation.excerpt",
      "Translation.language",
      "Translation.name",
      "Translation.slug",
      "User.createdAt",
      "User.credentials",
      "User.email",
      "User.locale",
      "User.login",
      "User.rights",
      "User.role",
      "UserError.path",
      "Venue.translations",
      "Webhook.language",
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
