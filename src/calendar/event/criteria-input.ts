// The input fields of a filter of events, also of the filters in `not` and `any`.
import type { InputShapeFromFields } from '@pothos/core'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { searchComplexity, textComplexity } from '../../service/graphql/limits/complexity.ts'
import { createRangeInput, InstantRange } from '../list/date-range.ts'
import { Near } from '../list/distance.ts'
import { commonPostFilterFields } from '../list/post-filter.ts'
import { termReferencesNote } from '../list/references.ts'
import { enumValues } from '../rules/enums.ts'
import { idDescription } from '../rules/identify.ts'
import { DayRange } from './days.ts'
import { PriceFilter } from './price.ts'
import { EventAttendanceMode, EventStatus } from './state.ts'

const LocalRange = createRangeInput(
  'LocalRange',
  'LocalDateTime',
  'A range of local times, compared with the local time of each event. Bounds combine with AND.',
)

const EventTime = builder.enumType('EventTime', {
  description: 'Whether events have ended.',
  values: enumValues({
    upcoming: 'Events that have not ended, including running ones.',
    past: 'Events that have ended.',
  }),
})

const Occurrences = builder.enumType('Occurrences', {
  description: 'Which dates of a series a list has.',
  values: enumValues({
    each: 'Each date that matches.',
    next: 'Of each series only the first date that matches. Totals and facets count it once, the facet `months` once a month.',
  }),
})

export const eventCriteriaFields = (t: InputFields) => ({
  ...commonPostFilterFields(t, 'event'),
  series: t.idList({ description: `Only dates of one of these series. ${idDescription('series')}` }),
  occurrences: t.field({
    type: Occurrences,
    description:
      'Which dates of a series the list has. Default: EACH. Applies to the whole list, not in `not` and `any`.',
  }),
  uids: t.stringList({ description: 'Only events with one of these UIDs, as in the field `uid`.' }),
  search: t.string({
    description:
      'Words that must all occur in the title, excerpt or description, also in other forms; one or two letters match the beginning of a word. Ignores case and accents. Quotes make a phrase, a leading hyphen excludes a word. Of locked events, only the title is searched. If nothing matches, the list has events with similar words: see `searchMatch`.',
    extensions: textComplexity,
  }),
  when: t.field({ type: EventTime, description: 'Only events that have ended, or only events that have not.' }),
  runningAt: t.field({ type: 'DateTime', description: 'Events that have started and have not ended at this time.' }),
  startsAt: t.field({ type: InstantRange, description: 'Only events whose start is in this range of instants.' }),
  endsAt: t.field({ type: InstantRange, description: 'Only events whose end is in this range of instants.' }),
  startsLocal: t.field({ type: LocalRange, description: 'Only events whose local start is in this range.' }),
  endsLocal: t.field({ type: LocalRange, description: 'Only events whose local end is in this range.' }),
  startsOn: t.field({
    type: 'DayExpression',
    description:
      'Only events that start on this day, in the time zone that `between` uses by default. For another time zone, use `between` with `match: STARTING`.',
  }),
  between: t.field({ type: DayRange, description: 'Only events in a range of whole days.' }),
  venues: t.idList({ description: `Only events at one of these venues. ${idDescription('venue')}` }),
  organizers: t.idList({ description: `Only events of one of these organizers. ${idDescription('organizer')}` }),
  placeName: t.string({
    description:
      'Only events at a venue whose name, address or city contains each of these words. Ignores case and accents. Quotes make a phrase, a leading hyphen excludes a word. Of locked venues, only the name is searched.',
    extensions: searchComplexity,
  }),
  cities: t.stringList({
    description: 'Only events at a venue in one of these cities. Ignores case and accents.',
    extensions: searchComplexity,
  }),
  categories: t.idList({
    description: `Only events in one of these categories or their descendants. ${termReferencesNote}`,
  }),
  tags: t.idList({ description: `Only events with one of these tags. ${termReferencesNote}` }),
  eventStatus: t.field({
    type: [EventStatus],
    description: 'Only events with one of these values of `eventStatus`, such as CANCELLED.',
  }),
  attendanceMode: t.field({
    type: [EventAttendanceMode],
    description: 'Only events that people attend in one of these ways.',
  }),
  featured: t.boolean({ description: 'True: only featured events. False: only events that are not featured.' }),
  ticketed: t.boolean({ description: 'True: only events with tickets. False: only events without tickets.' }),
  allDay: t.boolean({ description: 'True: only events that last whole days. False: only events with a time of day.' }),
  price: t.field({ type: PriceFilter, description: 'Only events whose prices meet the criteria of this filter.' }),
  located: t.boolean({
    description: 'True: only events at a venue with coordinates. False: only other events.',
    extensions: searchComplexity,
  }),
  near: t.field({ type: Near, description: 'Only events at a venue in this circle.', extensions: searchComplexity }),
  locked: t.boolean({
    description: 'True: only events whose fields are withheld because of a password. False: only other events.',
  }),
  parent: t.id({ description: `Only child events of this event. ${idDescription('event')}` }),
  hideFromListings: t.boolean({
    description: 'True: only events that are hidden from lists. Requires the right EDIT_OTHERS.',
  }),
})

export type EventCriteria = InputShapeFromFields<ReturnType<typeof eventCriteriaFields>>
