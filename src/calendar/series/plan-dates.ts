// Compares the occurrences of a series with the dates of its new schedule, so that occurrences keep their IDs and changes.
import { isDeepStrictEqual } from 'node:util'
import type { RecurrenceRule } from '../../basics/dates/recurrence-rule.ts'
import { weekday, weekdayCodes } from '../../basics/dates/week.ts'
import { addDays, dateToWallClock, toWallClock } from '../../basics/time.ts'
import { type DateTimes, type ExpandedSchedule, type SeriesDate, timesOf } from './expand-schedule.ts'

export interface ExistingOccurrence extends DateTimes {
  readonly id: number
  /** When the schedule had it start: it may have been moved since. */
  readonly originalStartsLocal: Date
  /** Names of the fields that differ from the series, such as `times`. */
  readonly changed: readonly string[]
}

interface PlanOptions {
  readonly now: Date
  readonly timeZone: string
  /** Excluded dates of the schedule so far, from today on, as local starts: dates that were deleted do not come back. */
  readonly excludedBefore?: readonly string[]
  /** Dates that move together: the new local start of each, by its local start so far. */
  readonly newStarts?: ReadonlyMap<string, string>
}

interface KeptOccurrence {
  readonly id: number
  readonly date: SeriesDate
  /** Whether its times are to become those of the date. Otherwise, they are already, or it has times of its own. */
  readonly movesTimes: boolean
  /** Whether its original start is to become that of the date. */
  readonly movesOriginal: boolean
}

/** Occurrences that have begun are in none of the lists: they stay as they are. */
export interface DatePlan {
  readonly kept: readonly KeptOccurrence[]
  readonly added: readonly SeriesDate[]
  /** IDs of coming occurrences without changes of their own, which the schedule no longer has. */
  readonly deleted: readonly number[]
  /** IDs of coming occurrences with changes of their own, which the schedule no longer has: they become single events. */
  readonly detached: readonly number[]
  /** Days, or local times of days with other dates, which the new schedule is to exclude in addition. */
  readonly excludedDates: readonly string[]
}

/** What has a place in the schedule so far: an occurrence, or an excluded date. */
interface Place {
  readonly local: string
  readonly isPast: boolean
  readonly occurrence: ExistingOccurrence | undefined
}

/** Plans the change to a new schedule, of which `expanded` has the dates from the start of today on. */
export function planDates(
  existing: readonly ExistingOccurrence[],
  expanded: Pick<ExpandedSchedule, 'dates' | 'excluded' | 'recurrences'>,
  { now, timeZone, excludedBefore = [], newStarts = new Map() }: PlanOptions,
): DatePlan {
  const nowLocal = toWallClock(now, timeZone)
  const excludedDays = new Set(expanded.excluded.map(dayOf))
  const places: Place[] = [
    ...excludedBefore
      .filter((local) => !excludedDays.has(dayOf(local)))
      .map((local) => ({ local, isPast: local <= nowLocal, occurrence: undefined })),
    ...existing.map((occurrence) => {
      const local = dateToWallClock(occurrence.originalStartsLocal)
      return { local, isPast: local <= nowLocal, occurrence }
    }),
  ].sort((a, b) => compare(a.local, b.local))
  const placeOf = matchPlaces(places, expanded, newStarts, now)
  const matches = [...placeOf]
    .map(([date, place]) => ({ date, place }))
    .sort((a, b) => a.date.startsAt.getTime() - b.date.startsAt.getTime())
  const matched = new Set(placeOf.values())
  const left = places.filter((place) => !place.isPast && !matched.has(place))
  const leftOver = left.flatMap(({ occurrence }) => occurrence ?? [])
  const hasBegun = ({ startsAt }: DateTimes) => startsAt <= now
  const excluded = matches.filter(({ place }) => !place.occurrence).map(({ date }) => localOf(date))
  const takenDays = new Set(
    expanded.dates
      .map(localOf)
      .filter((local) => !excluded.includes(local))
      .map(dayOf),
  )
  return {
    kept: matches.flatMap(({ date, place }) => keep(date, place)),
    added: expanded.dates.filter((date) => !placeOf.has(date) && (date.isExtra || !hasBegun(date))),
    deleted: leftOver.filter(({ changed }) => changed.length === 0).map(({ id }) => id),
    detached: leftOver.filter((each) => each.changed.length > 0 && !hasBegun(each)).map(({ id }) => id),
    excludedDates: excluded.map((local) => (takenDays.has(dayOf(local)) ? local : dayOf(local))),
  }
}

/**
 * Finds a place for each date: that of the date that moves to it, else the same start, else the same day, else the same week,
 * month or year of its rule.
 */
function matchPlaces(
  places: readonly Place[],
  { dates, recurrences }: Pick<ExpandedSchedule, 'dates' | 'recurrences'>,
  newStarts: ReadonlyMap<string, string>,
  now: Date,
): Map<SeriesDate, Place> {
  const placeOf = new Map<SeriesDate, Place>()
  const taken = new Set<Place>()
  const match = (from: readonly Place[], to: readonly SeriesDate[], key: (local: string) => string) => {
    const free = Map.groupBy(
      from.filter((place) => !taken.has(place)),
      ({ local }) => key(local),
    )
    for (const date of to) {
      const found = placeOf.has(date) ? undefined : free.get(key(localOf(date)))?.shift()
      if (!found) continue
      placeOf.set(date, found)
      taken.add(found)
    }
  }
  const ofRules = dates.filter(({ isExtra }) => !isExtra)
  const isComing = ({ startsAt }: SeriesDate) => startsAt > now
  const isNamed = ({ occurrence }: Place) => occurrence !== undefined
  const movedTo = new Map(ofRules.map((date) => [localOf(date), date]))
  for (const place of places) {
    const date = movedTo.get(newStarts.get(place.local) ?? '')
    if (!date || placeOf.has(date) || place.isPast || !place.occurrence) continue
    placeOf.set(date, place)
    taken.add(place)
  }
  match(places, ofRules, (local) => local)
  // An extra date takes place even if it was excluded.
  match(places.filter(isNamed), dates, (local) => local)
  const [past, coming] = [places.filter(({ isPast }) => isPast), places.filter(({ isPast }) => !isPast)]
  match(coming, ofRules.filter(isComing), dayOf)
  match(coming.filter(isNamed), dates, dayOf)
  // What has begun is the date of its day: a new time of day does not repeat it on that day.
  match(past, ofRules, dayOf)
  recurrences.forEach(({ rule }, index) => {
    const key = periodOf(rule)
    const ofRule = ofRules.filter((date) => date.recurrence === index && isComing(date))
    if (key) match(coming, ofRule, key)
  })
  return placeOf
}

function keep(date: SeriesDate, { isPast, occurrence }: Place): KeptOccurrence[] {
  if (isPast || !occurrence) return []
  const { id, changed, originalStartsLocal } = occurrence
  const movesTimes = !changed.includes('times') && !isDeepStrictEqual(timesOf(occurrence), timesOf(date))
  return [{ id, date, movesTimes, movesOriginal: originalStartsLocal.getTime() !== date.startsLocal.getTime() }]
}

/** Returns a function from a local time to the period of a rule, within which a date keeps its ID; none for daily rules. */
function periodOf({ pattern }: RecurrenceRule): ((local: string) => string) | undefined {
  if (pattern.includes('FREQ=MONTHLY')) return (local) => local.slice(0, 7)
  if (pattern.includes('FREQ=YEARLY')) return (local) => local.slice(0, 4)
  if (!pattern.includes('FREQ=WEEKLY')) return undefined
  const firstDay = weekdayCodes.indexOf(/WKST=(\w\w)/.exec(pattern)?.[1] ?? 'MO') + 1
  return (local) => dayOf(addDays(local, -((weekday(dayOf(local)) - firstDay + 7) % 7)))
}

const dayOf = (local: string) => local.slice(0, 10)
const localOf = ({ startsLocal }: SeriesDate) => dateToWallClock(startsLocal)
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
