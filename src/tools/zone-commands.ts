import type { Command } from 'commander'
import { settings } from '../basics/env.ts'
import type { Moved } from '../calendar/event/recompute-zones.ts'
import { toSingleLine } from '../service/auth/login.ts'
import { json, type Output, print, printError, table } from './print.ts'
import { withSite } from './session.ts'

export function addZoneCommands(program: Command): void {
  const zones = program.command('zones').description('apply changes of time zone rules')

  zones
    .command('recompute')
    .description('recompute the instants of all events from their wall clocks and time zones, and list the changes')
    .option('--dry-run', 'only list the changes')
    .option(...json)
    .action(async ({ dryRun = false, ...output }: Output & { dryRun?: boolean }) => {
      const { recomputeZones } = await import('../calendar/event/recompute-zones.ts')
      const report = await withSite(settings(), (session) => recomputeZones(session, { dryRun }))
      for (const { id, timeZone } of report.unknownZones) {
        printError(`Event ${id} was not changed: the time zone ${timeZone} is unknown.`)
      }
      const verb = dryRun ? 'would move' : 'moved'
      const summary = `${report.moved.length} of ${report.events} events ${verb}`
      const rows = report.moved.map(rowOf)
      const heads = ['id', 'wall clock', 'zone', 'started at', 'starts at', 'ended at', 'ends at', 'title']
      print(output, report, rows.length > 0 ? [...table(heads, rows), summary] : [summary])
    })
}

const rowOf = ({ id, startsLocal, timeZone, startsAt, endsAt, title }: Moved) => [
  String(id),
  startsLocal,
  timeZone,
  ...[startsAt.before, startsAt.after, endsAt.before, endsAt.after].map(instant),
  // Titles may have several lines.
  toSingleLine(title) ?? '',
]

const instant = (date: Date) => date.toISOString().replace('.000Z', 'Z')
