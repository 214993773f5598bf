// Moves events to the trash that a calendar no longer has.

import { toWallClock } from '../../basics/time.ts'
import { ToolTrashEventDocument } from '../../generated/graphql/graphql.ts'
import { errorsOf, type Operations } from '../operations.ts'
import type { CalendarOptions, ImportedCalendar } from './read-calendar.ts'
import type { Reporter } from './report.ts'
import { findStoredEvents } from './stored-events.ts'
import { isModifiedLater, occurrenceSeparator, type StoredOccurrence } from './stored-occurrences.ts'

interface Removal extends Pick<CalendarOptions, 'from' | 'until' | 'language'> {
  readonly calendar: ImportedCalendar
  readonly stored: ReadonlyMap<string, readonly StoredOccurrence[]>
  readonly dryRun: boolean
  readonly reporter: Reporter
}

/** Trashes the events on the site in whose place the file has other occurrences, or none. */
export async function trashRemoved(operations: Operations, removal: Removal): Promise<void> {
  const { calendar, stored, from, until, language, dryRun, reporter } = removal
  const current = new Set(calendar.events.map(({ uid }) => uid))
  const now = operations.session.now()
  const trash = async (id: number, uid: string, reason: string) => {
    const mode = { checksOnly: dryRun }
    const { outcome } = await operations.execute(ToolTrashEventDocument, { input: { id } }, mode)
    const [error] = errorsOf(outcome)
    if (error) return reporter.skip({ uid, line: null }, error.message)
    reporter.count('trashed')
    reporter.add(`Event ${uid}: ${reason}, and was moved to the trash.`)
  }
  const isOutside = (local: string) => local.slice(0, 10) < from || local.slice(0, 10) > until
  for (const [seriesUid, { start, lastModified }] of calendar.complete) {
    for (const occurrence of stored.get(seriesUid) ?? []) {
      const { id, uid, isTrashed, startsLocal, endsAt } = occurrence
      // Many calendars begin with the present day.
      const isOver = endsAt < now && startsLocal < start
      if (current.has(uid) || isTrashed || isOver || isOutside(startsLocal)) continue
      if (!isModifiedLater(occurrence, lastModified)) await trash(id, uid, 'the calendar no longer has this occurrence')
    }
  }
  const hasOccurrences = new Set([...current].map((uid) => uid.split(occurrenceSeparator)[0]))
  const recurring = [...calendar.complete].flatMap(([uid, { recurs }]) =>
    recurs && !current.has(uid) && hasOccurrences.has(uid) ? uid : [],
  )
  for (const [uid, { event }] of await findStoredEvents(operations, recurring, language)) {
    const isNewer = event.sequence > (calendar.complete.get(uid)?.sequence ?? event.sequence)
    if (event.status !== 'TRASH' && !isOutside(toWallClock(event.startsAt, event.timeZone)) && !isNewer)
      await trash(event.databaseId, uid, 'it recurs now, its occurrences take its place')
  }
}
