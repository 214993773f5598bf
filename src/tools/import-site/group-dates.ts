// Groups the dates of recurring events, which a legacy site shows as events with the same slug and a day in the URL.
import { toInstant, toWallClock } from '../../basics/time.ts'
import type { AnyRecord, SourceEvent } from './source-records.ts'

/** Returns the records with all dates of a recurring event in its first one. Dates whose content differs stay as they are. */
export function groupDates(records: readonly AnyRecord[]): AnyRecord[] {
  const dates = records.filter((record) => record.kind === 'event' && record.isDate && isUnambiguous(record))
  const bySlug = Map.groupBy(dates as SourceEvent[], (date) => date.texts[date.originalLanguage]?.slug)
  const groups = [...bySlug.values()].map((sameSlug) => {
    const byContent = [...Map.groupBy(sameSlug, contentOf).values()].sort((a, b) => b.length - a.length)
    return [...new Map(byContent[0]?.toReversed().map((date) => [date.startsLocal, date])).values()].toReversed()
  })
  const groupOf = new Map<AnyRecord, readonly SourceEvent[]>(
    groups.flatMap((group) => group.map((date) => [date, group] as const)),
  )
  return records.flatMap((record) => {
    const group = groupOf.get(record)
    if (record.kind !== 'event' || !group) return record
    const parent = group.some(({ id }) => id === record.parent) ? undefined : record.parent
    return record === group[0] ? { ...record, parent, dates: group } : []
  })
}

const ownFields = new Set([
  ...['id', 'ids', 'parent', 'publishedAt', 'modifiedAt', 'startsLocal', 'endsLocal', 'startsAt', 'endsAt'],
  ...['eventStatus', 'attendanceMode', 'onlineUrl', 'hideFromListings'],
])

/** Returns what all dates of a series have in common. */
function contentOf(event: SourceEvent): string {
  return JSON.stringify(Object.entries(event).filter(([name]) => !ownFields.has(name)))
}

/** Whether the local start exists once in its time zone, or stands for the first of two. Others are no dates of a schedule. */
function isUnambiguous({ startsLocal, timeZone, startsAt }: SourceEvent): boolean {
  const instant = toInstant(startsLocal, timeZone)
  return toWallClock(instant, timeZone) === startsLocal && (startsAt ?? instant).getTime() === instant.getTime()
}
