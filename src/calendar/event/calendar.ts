// The query `eventCalendar`: the events of each day of a range, as a month view shows them.
import { selectedFieldNames } from '../../engine/execution/analyze-operation.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { requirePageSize } from '../../service/graphql/pagination.ts'
import { getOrComputeCount } from '../list/cached-count.ts'
import { loadRecordById } from '../list/field-loader.ts'
import { searchMatchFieldOptions } from '../list/search-input.ts'
import {
  type CalendarRange,
  type CountedCalendar,
  countEventsByDay,
  type DayCount,
  estimateDays,
  maxDays,
  parseCalendarRange,
} from './calendar-days.ts'
import { maxEventsPerDay } from './calendar-statement.ts'
import { EventFilter, type EventSelection, toEventSelection } from './filter.ts'
import { Event } from './type.ts'

interface Calendar extends CalendarRange {
  readonly counts: CountedCalendar
  readonly searchMatch: EventSelection['searchMatch']
}

interface Day extends DayCount {
  readonly date: string
}

type EventRecord = typeof Event.$inferType

const defaultEventsOfDay = 3

const CalendarDay = builder.objectRef<Day>('CalendarDay').implement({
  description: 'A day of a calendar, with the events that take place on it.',
  fields: (t) => ({
    date: t.expose('date', { type: 'LocalDate', description: 'Date of the day.' }),
    totalCount: t.exposeInt('total', { description: 'Number of events on this day.' }),
    events: t.field({
      type: [Event],
      description:
        'The first events of the day: sticky events, then events that last all day or began on an earlier day, then the other events by start. Ties are broken by publication date, then by ID. The list `events` with the filter `between` returns all events of the day.',
      extensions: complexity({ slicingArguments: ['first'] }),
      args: {
        first: t.arg.int({
          defaultValue: defaultEventsOfDay,
          description: `Number of events to return. At most ${maxEventsPerDay}.`,
        }),
      },
      resolve: async (day, args, context, info) => {
        const first = requirePageSize('first', args.first, 0, maxEventsPerDay) ?? defaultEventsOfDay
        const events = day.ids.slice(0, first).map((id) => loadRecordById<EventRecord>('event', id, context, info))
        return (await Promise.all(events)).filter((event) => event !== null)
      },
    }),
  }),
})

const EventCalendar = builder.objectRef<Calendar>('EventCalendar').implement({
  description: 'The events of a range of days.',
  fields: (t) => ({
    timeZone: t.string({
      nullable: true,
      description:
        'Time zone in which the days begin and end. Null if each event is on the days of its own local time.',
      resolve: ({ zone }) => zone,
    }),
    totalCount: t.int({
      description: 'Number of distinct events on these days.',
      resolve: ({ counts }) => counts.total,
    }),
    searchMatch: t.field(searchMatchFieldOptions),
    days: t.field({
      type: [CalendarDay],
      description: 'All days of the range in order, including days without events.',
      resolve: ({ days, counts }) =>
        days.map((date, index) => ({ ...(counts.days[index] ?? { total: 0, ids: [] }), date })),
    }),
  }),
})

builder.queryField('eventCalendar', (t) =>
  t.field({
    type: EventCalendar,
    description: `The events of each day of a range, such as the weeks of a month view. An event is on each day on which it takes place, as the filter \`between\` with \`match: OVERLAPPING\` decides: an event that ends at the very moment at which a day begins is not on that day, unless it also starts then. Days begin at the end-of-day cutoff of the site, by default at midnight. At most ${maxDays} days.`,
    extensions: complexity({ length: estimateDays }),
    args: {
      from: t.arg({ type: 'DayExpression', required: true, description: 'First day of the calendar.' }),
      to: t.arg({ type: 'DayExpression', required: true, description: 'Last day of the calendar.' }),
      timeZone: t.arg.string({
        description:
          'Time zone of the days, such as `Europe/Paris`, or `local`: each event is on the days of its own local time. The default is `local`, or the time zone of the site if the site shows all events in that zone or is in UTC. With `local`, relative days such as `today` are days in UTC.',
      }),
      filter: t.arg({ type: EventFilter, description: 'Selects the events. Combines with the range of days.' }),
    },
    resolve: async (_root, { filter, ...args }, context, info) => {
      const range = parseCalendarRange(args, context)
      const withIds = selectedFieldNames(info, ['days']).has('events')
      const isDense = Object.values(filter ?? {}).every((criterion) => criterion == null)
      let selection: Promise<EventSelection> | undefined
      const selectEvents = (each: Context) => (selection ??= toEventSelection(filter ?? {}, each))
      const counted = [...range.days, range.zone ?? 'local times', withIds ? 'first events' : 'totals']
      const counts = await getOrComputeCount(context, { filter, counted }, async (apart) => {
        const { where } = await selectEvents(apart)
        return countEventsByDay(range, { where, isDense }, withIds, apart)
      })
      return { ...range, searchMatch: async () => (await selectEvents(context)).searchMatch(counts.total > 0), counts }
    },
  }),
)
