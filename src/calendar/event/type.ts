import { abbreviation, dateWallClock } from '../../basics/time.ts'
import { builder } from '../../service/graphql/builder.ts'
import { longText } from '../../service/graphql/limits/complexity.ts'
import { fromRecord } from '../../service/graphql/record-resolver.ts'
import { addPostFields, recordType } from '../fields/common-fields.ts'
import { postFields } from '../fields/fields.ts'
import { Post } from '../fields/interfaces.ts'
import { emptyIfLocked, lockable, lockableValue } from '../fields/lockable.ts'
import { lockColumns } from '../rules/record-password.ts'
import { visibleEvents } from '../rules/visibility.ts'
import { Translatable } from '../text/translatable.ts'
import { readCost } from './cost.ts'
import { CustomField, EventCost } from './field-types.ts'
import { EventAttendanceMode, EventStatus } from './state.ts'

export const Event = builder.prismaNode('Event', {
  description: 'An event of the calendar.',
  ...recordType(visibleEvents),
  interfaces: [Translatable, Post],
  fields: (t) => ({
    title: t.string({ ...postFields.name, description: 'Plain text, never empty.' }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Instant of the start.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Instant of the end.' }),
    startsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Local time of the start, in `timeZone`.',
      select: { startsLocal: true },
      resolve: fromRecord((event) => dateWallClock(event.startsLocal)),
    }),
    endsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Local time of the end, in `timeZone`.',
      select: { endsLocal: true },
      resolve: fromRecord((event) => dateWallClock(event.endsLocal)),
    }),
    timeZone: t.exposeString('timeZone', {
      description: 'As in the input: an IANA time zone, or a fixed offset such as `UTC+5:30`.',
    }),
    timeZoneAbbreviation: t.string({
      description: 'Abbreviation of the zone at the start, such as `CET` or `EDT`.',
      select: { startsAt: true, timeZone: true },
      resolve: fromRecord((event) => abbreviation(event.startsAt, event.timeZone)),
    }),
    allDay: t.boolean(lockable('allDay', 'Whether the event lasts whole days.')),
    eventStatus: t.expose('eventStatus', {
      type: EventStatus,
      description: 'Whether it takes place as planned; `status` says who can see it. Locked events show it too.',
    }),
    attendanceMode: t.expose('attendanceMode', {
      type: EventAttendanceMode,
      description: 'Where people attend it. Locked events show it too.',
    }),
    onlineUrl: t.field({
      type: 'URL',
      ...lockable('onlineUrl', 'http or https URL where people attend it online; null if there is none.'),
    }),
    previousStartsAt: t.expose('previousStartsAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Instant of the start before it was rescheduled; null if unknown.',
    }),
    cost: t.field({
      type: EventCost,
      ...lockableValue('cost', 'What it costs; null if unknown.', (cost: string[], { settings }) => {
        return readCost(cost, settings) ?? null
      }),
    }),
    costEntries: t.stringList({
      description:
        'The prices and texts of `cost` as they were entered; the input field `cost` accepts them unchanged. Empty if unknown, and while the record is locked.',
      select: { ...lockColumns, cost: true },
      resolve: emptyIfLocked(({ cost }) => [...cost]),
    }),
    website: t.string(lockable('website', 'Website of the event; null if it was never set, empty if it was removed.')),
    showMap: t.boolean(lockable('showMap', 'Whether to show a map.')),
    showMapLink: t.boolean(lockable('showMapLink', 'Whether to show a link to a map.')),
    hideFromListings: t.boolean(lockable('hideFromListings', 'Whether it is hidden from lists.')),
    sticky: t.boolean(lockable('sticky', 'Whether it comes first on its day in calendar views.')),
    featured: t.boolean(lockable('featured', 'Whether it is featured on the site.')),
    customFields: t.field({
      type: [CustomField],
      description: 'Custom fields of the site. Empty while the record is locked.',
      extensions: longText,
      select: { ...lockColumns, customFields: true },
      resolve: emptyIfLocked((event) => event.customFields as { key: string; label: string; value: unknown }[]),
    }),
  }),
})

addPostFields('event')
