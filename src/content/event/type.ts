import { builder } from '../../graphql/builder.ts'
import { longText } from '../../graphql/limits/complexity.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { abbreviation, dateWallClock } from '../../time.ts'
import { databaseIdOfPost, emptyIfLocked, lockable, lockableValue, postFields } from '../fields.ts'
import { nodeWhere } from '../identify.ts'
import { lockColumns } from '../lifecycle/record-password.ts'
import { readCost } from './cost.ts'
import { CustomField, EventCost } from './parts.ts'
import { visibleEvents } from './visibility.ts'

export const Event = builder.prismaNode('Event', {
  description: 'Something that takes place.',
  id: { field: 'id', description: 'Opaque ID, for `node`.' },
  nullable: true,
  select: { id: true },
  findUnique: (id, context) => nodeWhere(id, visibleEvents(context)),
  fields: (t) => ({
    databaseId: t.exposeInt('id', databaseIdOfPost),
    language: t.string(postFields.language),
    translations: t.field(postFields.translations('event')),
    title: t.string({ ...postFields.name, description: 'Plain text, never empty.' }),
    description: t.string(postFields.description),
    descriptionHtml: t.string(postFields.descriptionHtml),
    excerpt: t.string(postFields.excerpt),
    excerptHtml: t.string(postFields.excerptHtml),
    slug: t.string(postFields.slug),
    url: t.field(postFields.url('event')),
    status: t.field(postFields.status),
    locked: t.boolean(postFields.locked),
    publishedAt: t.expose('publishedAt', { type: 'DateTime', description: 'When it was, or will be, published.' }),
    modifiedAt: t.expose('modifiedAt', { type: 'DateTime', description: 'When it was last changed.' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Instant of the start.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Instant of the end.' }),
    startsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Wall clock of the start, in `timeZone`.',
      select: { startsLocal: true },
      resolve: fromRecord((event) => dateWallClock(event.startsLocal)),
    }),
    endsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Wall clock of the end, in `timeZone`.',
      select: { endsLocal: true },
      resolve: fromRecord((event) => dateWallClock(event.endsLocal)),
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'As given: an IANA name, or a fixed offset such as `UTC+5:30`.',
    }),
    timeZoneAbbreviation: t.string({
      description: 'Abbreviation of the zone at the start, such as `CET` or `EDT`.',
      select: { startsAt: true, timeZone: true },
      resolve: fromRecord((event) => abbreviation(event.startsAt, event.timeZone)),
    }),
    allDay: t.boolean(lockable('allDay', 'Lasts whole days.')),
    cost: t.field({
      type: EventCost,
      ...lockableValue('cost', 'What it costs; null when nothing was said.', (cost: string[], { settings }) => {
        return readCost(cost, settings) ?? null
      }),
    }),
    website: t.string(
      lockable('website', "The event's own site: null when none was ever given, empty when it was removed."),
    ),
    showMap: t.boolean(lockable('showMap', 'Show a map.')),
    showMapLink: t.boolean(lockable('showMapLink', 'Show a link to a map.')),
    hideFromListings: t.boolean(lockable('hideFromListings', 'Kept out of every list.')),
    sticky: t.boolean(lockable('sticky', 'Comes first on its day in calendar views.')),
    featured: t.boolean(lockable('featured', 'Featured on the site.')),
    customFields: t.field({
      type: [CustomField],
      description: 'Extra fields of the site. Empty while the record is locked.',
      extensions: longText,
      select: { ...lockColumns, customFields: true },
      resolve: emptyIfLocked((event) => event.customFields as { key: string; label: string; value: unknown }[]),
    }),
  }),
})
