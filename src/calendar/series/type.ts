// The GraphQL type of a series, and the fields of its dates. A series is read as one of its events: all have its content.
import type { Settings } from '../../basics/env.ts'
import { notFoundError } from '../../basics/errors.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import { dateToWallClock } from '../../basics/time.ts'
import { readsRecord, takesInfo } from '../../engine/execution/record-resolvers.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { type RecordContext, recordResolver } from '../../service/graphql/record-resolver.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { eventList } from '../event/queries.ts'
import { EventStatus } from '../event/state.ts'
import { Event } from '../event/type.ts'
import { uidOf } from '../event/uid.ts'
import { addContentFields } from '../fields/common-fields.ts'
import { modifiedAtField, postDatabaseIdField, postFieldOptions, postUrl, selectPostUrl } from '../fields/fields.ts'
import { Post } from '../fields/interfaces.ts'
import { lockableField, nullIfLocked, nullWhileLockedNote } from '../fields/lockable.ts'
import { loadFieldForParent } from '../list/field-loader.ts'
import { addConnectionField } from '../list/record-connection.ts'
import { enumValues } from '../rules/enums.ts'
import { idDescription, requireRecordId } from '../rules/identify.ts'
import { icalendarUrl } from '../rules/page-url.ts'
import { isLocked, type LockableRecord, lockColumns } from '../rules/record-password.ts'
import { Translatable } from '../text/translatable.ts'
import { describeSeries } from './describe-series.ts'
import { findDatesOfSeries, findNextEvents, findSeries } from './find-series.ts'
import { wordsFieldOptions } from './preview.ts'
import { formatSeries, type SeriesCalendar, type StoredDate } from './schedule-text.ts'
import { type DateTexts, type SeriesRow, type StoredSchedule, toScheduleInput } from './stored-schedule.ts'

const OccurrenceKind = builder.enumType('OccurrenceKind', {
  description: 'How an event belongs to a series.',
  values: enumValues({
    single: 'The event is not a date of a series.',
    regular: 'A date as the rules of the series give it.',
    changed:
      'A date of a rule of the series that differs from it: in its times, `eventStatus`, `attendanceMode`, `onlineUrl` or `hideFromListings`, or by a label or note.',
    extra: 'A date that was added to the series apart from its rules.',
  }),
})

const dateText = (name: 'label' | 'note', description: string) => ({
  nullable: true as const,
  description: `${description} In the language of the operation, or the first language in which it was written. Null while the record is locked.`,
  select: { ...lockColumns, dateTexts: true as const },
  resolve: recordResolver((event: Parameters<typeof isLocked>[0] & { dateTexts: unknown }, context): string | null => {
    if (isLocked(event, context)) return null
    const texts = (event.dateTexts ?? {}) as DateTexts
    return (texts[context.language] ?? Object.values(texts).find((text) => text[name]))?.[name] ?? null
  }),
})

const SeriesRecurrence = builder.objectRef<StoredSchedule['recurrences'][number]>('SeriesRecurrence').implement({
  description: 'Dates of a series that a rule repeats.',
  fields: (t) => ({
    startsLocal: t.expose('startsLocal', { type: 'LocalDateTime', description: 'Local start of the first date.' }),
    endsLocal: t.expose('endsLocal', { type: 'LocalDateTime', description: 'Local end of the first date.' }),
    rule: t.exposeString('rule', {
      description: 'Recurrence rule of iCalendar (RFC 5545), such as `FREQ=WEEKLY;UNTIL=20270630`.',
    }),
  }),
})

const SeriesExtraDate = builder.objectRef<StoredSchedule['extraDates'][number]>('SeriesExtraDate').implement({
  description: 'A date of a series that no rule has.',
  fields: (t) => ({
    startsLocal: t.expose('startsLocal', { type: 'LocalDateTime', description: 'Local start.' }),
    endsLocal: t.field({
      type: 'LocalDateTime',
      nullable: true,
      description: 'Local end; null for the time of day of the first recurrence.',
      resolve: ({ endsLocal }) => endsLocal ?? null,
    }),
  }),
})

const selectSeries = <Column extends string>(...columns: Column[]) => ({
  series: {
    select: Object.fromEntries(columns.map((column) => [column, true])) as { readonly [name in Column]: true },
  },
})

/** A date of a series, with columns of the series. */
interface DateOf<Series> {
  readonly series: Series | null
}

const ofSeries = <Series, Result>(read: (series: Series, context: RecordContext) => Result) =>
  recordResolver(({ series }: DateOf<Series>, context) => {
    if (!series) throw new Error('The event is not a date of a series.')
    return read(series, context)
  })

const scheduleField = <Result>(read: (schedule: StoredSchedule) => Result) => ({
  select: selectSeries('schedule'),
  resolve: ofSeries(({ schedule }: { schedule: unknown }) => read(schedule as StoredSchedule)),
})

const SeriesOtherDate = builder.objectRef<SeriesCalendar['otherDates'][number]>('SeriesOtherDate').implement({
  description: 'A date that the rules in iCalendar do not give as it is.',
  fields: (t) => ({
    databaseId: t.exposeInt('databaseId', { description: 'Number of the event.' }),
    rule: t.exposeInt('rule', {
      nullable: true,
      description: 'Index of the rule that has the date at another time or with other values; null if none has it.',
    }),
  }),
})

const SeriesCalendarType = builder.objectRef<SeriesCalendar>('SeriesCalendar').implement({
  description: 'The dates of a series as iCalendar (RFC 5545): rules, and the dates apart from them.',
  fields: (t) => ({
    rules: t.exposeStringList('rules', {
      description:
        'For each rule the lines DTSTART, DTEND or DURATION, RRULE and EXDATE, separated by line feeds and not folded. Each takes a VEVENT of its own.',
    }),
    otherDates: t.field({
      type: [SeriesOtherDate],
      description:
        'Dates that a rule has at another time or with other values, which take a VEVENT with RECURRENCE-ID, and dates that no rule has. Without those that are hidden from lists.',
      resolve: ({ otherDates }) => [...otherDates],
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Instant of the first DTSTART.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'Latest end of the dates that exist.' }),
  }),
})

const selectUrl = selectPostUrl('venue')
type SeriesUrlRow = Parameters<typeof postUrl>[1]
const seriesUrl = (row: SeriesUrlRow, context: RecordContext) => postUrl('event', row, context, [])

type CalendarSeries = Pick<SeriesRow, 'timeZone' | 'allDay' | 'schedule' | 'computedUntil'>

/** All events of a series and aliases of the field have the same array of dates. */
const calendarOf = memoizeByObject((dates: readonly StoredDate[], series: CalendarSeries, settings: Settings) => {
  const computedUntil = series.computedUntil ? dateToWallClock(series.computedUntil) : undefined
  return formatSeries(toScheduleInput(series), dates, computedUntil, settings) ?? null
})

export const EventSeries = builder.prismaNode('Event', {
  variant: 'EventSeries',
  id: { resolve: ({ seriesId }) => seriesId ?? 0, description: 'Global ID for `node`.' },
  nullable: true,
  findUnique: (id) => ({ id: Number(id) }),
  description:
    'Events that repeat. Its dates are events with an ID, a start and an end of their own, which have all texts, links and other content in common.',
  select: { id: true, seriesId: true },
  interfaces: [Translatable, Post],
  fields: (t) => ({
    databaseId: t.int({
      ...postDatabaseIdField,
      select: { seriesId: true },
      resolve: recordResolver(({ seriesId }) => seriesId ?? 0),
    }),
    title: t.string({ ...postFieldOptions.name, description: 'Title of the series as plain text, never empty.' }),
    url: t.field({
      type: 'URL',
      description: 'HTML page of the series, which shows the next date.',
      select: selectUrl,
      resolve: recordResolver((row: SeriesUrlRow, context) => seriesUrl(row, context)),
    }),
    icalendarUrl: t.field({
      type: 'URL',
      nullable: true,
      description: 'iCalendar file of the series, to subscribe to; null without a slug.',
      select: selectUrl,
      resolve: recordResolver((row: SeriesUrlRow, context) => icalendarUrl(seriesUrl(row, context), context)),
    }),
    website: t.string(
      lockableField('website', 'Website of the events; null if it was never set, empty if it was removed.'),
    ),
    modifiedAt: t.field({
      ...modifiedAtField,
      select: selectSeries('modifiedAt'),
      resolve: ofSeries(({ modifiedAt }: { modifiedAt: Date }) => modifiedAt),
    }),
    timeZone: t.string({
      description: 'Time zone of the local times of the schedule.',
      select: selectSeries('timeZone'),
      resolve: ofSeries(({ timeZone }: { timeZone: string }) => timeZone),
    }),
    allDay: t.boolean({
      description: 'Whether the dates are whole days.',
      select: selectSeries('allDay'),
      resolve: ofSeries(({ allDay }: { allDay: boolean }) => allDay),
    }),
    recurrences: t.field({
      type: [SeriesRecurrence],
      description: 'The rules of the schedule. None if all dates are extra dates.',
      ...scheduleField(({ recurrences }) => [...recurrences]),
    }),
    extraDates: t.field({
      type: [SeriesExtraDate],
      description: 'Dates that no rule has, in order.',
      ...scheduleField(({ extraDates }) => [...extraDates]),
    }),
    excludedDates: t.stringList({
      description: 'Days, or local times, at which the series does not take place although a rule has them, in order.',
      ...scheduleField(({ excludedDates }) => [...excludedDates]),
    }),
    words: t.string({
      ...wordsFieldOptions,
      extensions: complexity({ weight: 20 }),
      select: { series: { select: { timeZone: true, allDay: true, schedule: true } } },
      resolve: ({ series }, { language }, context) =>
        series ? describeSeries(series, language ?? context.language, context.settings) : '',
    }),
    eventStatus: t.field({
      type: EventStatus,
      description: 'State of the dates that were not changed. Visible even while the record is locked.',
      select: selectSeries('eventStatus'),
      resolve: ofSeries(({ eventStatus }: { eventStatus: typeof EventStatus.$inferType }) => eventStatus),
    }),
    onlineUrl: t.field({
      type: 'URL',
      nullable: true,
      description: `Online address of the dates that were not changed; null if unset. ${nullWhileLockedNote}`,
      select: { ...lockColumns, ...selectSeries('onlineUrl') },
      resolve: nullIfLocked(({ series }: LockableRecord & DateOf<{ onlineUrl: string | null }>) => series?.onlineUrl),
    }),
    uid: t.string({
      description: 'UID of the series in iCalendar files; by default `{databaseId}@{host}`, like that of an event.',
      select: selectSeries('id', 'uid'),
      resolve: ofSeries((series: { id: number; uid: string | null }, { site }) => uidOf(series, site)),
    }),
    sequence: t.int({
      description: 'Revision number (SEQUENCE) of the series in iCalendar files.',
      select: selectSeries('sequence'),
      resolve: ofSeries(({ sequence }: { sequence: number }) => sequence),
    }),
    icalendar: t.field({
      type: SeriesCalendarType,
      nullable: true,
      description:
        'The dates as iCalendar; null for a time zone without a name, such as UTC+2, if no rule has a date, and if the clocks skip or repeat the time of one. Extra dates are no RDATE, which calendar programs ignore.',
      extensions: { ...complexity({ weight: 300 }), [takesInfo]: true },
      select: {
        seriesId: true,
        series: { select: { timeZone: true, allDay: true, schedule: true, computedUntil: true } },
      },
      resolve: async ({ seriesId, series }, _args, context, info) => {
        if (!series || seriesId === null) return null
        const load = () => (ids: readonly number[]) => findDatesOfSeries(context, ids)
        return calendarOf(await loadFieldForParent({ id: seriesId }, context, info, load), series, context.settings)
      },
    }),
    nextEvent: t.field({
      type: Event,
      nullable: true,
      description:
        'The next date that has not ended; null after the last. Leaves out dates that are hidden from lists.',
      extensions: { ...complexity({ weight: 10 }), [takesInfo]: true },
      select: { seriesId: true },
      resolve: ({ seriesId }, _args, context, info) =>
        loadFieldForParent({ id: seriesId ?? 0 }, context, info, () => async (ids) => {
          return findNextEvents(context, buildSelection(context, info), ids) as Promise<never[]>
        }),
    }),
    isEndless: t.boolean({
      description:
        'Whether a rule of the series has no end. Its dates are computed for 24 months ahead, or as long as the site sets.',
      select: selectSeries('isEndless'),
      resolve: ofSeries(({ isEndless }: { isEndless: boolean }) => isEndless),
    }),
    horizon: t.field({
      type: 'LocalDateTime',
      nullable: true,
      description: 'Local time up to which the dates were computed; null if the series has all of its dates.',
      select: selectSeries('computedUntil'),
      resolve: ofSeries(({ computedUntil }: { computedUntil: Date | null }) =>
        computedUntil ? dateToWallClock(computedUntil) : null,
      ),
    }),
  }),
})

addContentFields('event', EventSeries)

addConnectionField(EventSeries, 'events', {
  kind: 'event',
  list: eventList,
  description: 'The dates of the series, by default ordered by start. Leaves out dates that are hidden from lists.',
  ofParent: (id) => ({ seriesId: id }),
  idColumn: 'seriesId',
})

builder.prismaObjectFields(Event, (t) => ({
  series: t.variant(EventSeries, {
    description: 'The series of which the event is a date; null for other events.',
    // The type selects it.
    isNull: (event) => (event as { seriesId?: number | null }).seriesId === null,
    extensions: { [readsRecord]: true },
  }),
  occurrence: t.field({
    type: OccurrenceKind,
    description: 'How the event belongs to a series.',
    select: { seriesId: true, isExtra: true, changedFields: true },
    resolve: recordResolver(({ seriesId, isExtra, changedFields }) =>
      seriesId === null ? 'single' : isExtra ? 'extra' : changedFields.length > 0 ? 'changed' : 'regular',
    ),
  }),
  originalStartsLocal: t.field({
    type: 'LocalDateTime',
    nullable: true,
    description: 'Local start that the schedule of the series gives the date; null without a series.',
    select: { seriesId: true, originalStartsLocal: true },
    resolve: recordResolver(({ seriesId, originalStartsLocal }) =>
      seriesId === null || originalStartsLocal === null ? null : dateToWallClock(originalStartsLocal),
    ),
  }),
  dateLabel: t.string(dateText('label', 'What is special about this date of a series, such as "premiere".')),
  dateNote: t.string(dateText('note', 'A note about this date of a series.')),
}))

builder.queryField('eventSeries', (t) =>
  t.field({
    type: EventSeries,
    nullable: true,
    description: 'A series of events by its global ID or its databaseId.',
    args: { id: t.arg.id({ required: true, description: idDescription('series') }) },
    resolve: async (_root, { id }, context, info) => {
      const seriesId = requireRecordId('series', id)
      const found = await findSeries(context, buildSelection(context, info), [seriesId])
      const series = found.get(seriesId)
      if (!series) throw notFoundError('series', 'id')
      return series as never
    },
  }),
)
