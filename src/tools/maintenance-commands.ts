import type { Command } from 'commander'
import { settings } from '../basics/env.ts'
import type { MovedEvent } from '../calendar/event/recompute-zones.ts'
import { registerDatabaseOfFolder } from '../calendar/image/storage/folder-users.ts'
import { removeUnusedFiles } from '../calendar/image/storage/remove-unused.ts'
import { toSingleLine } from '../service/auth/login.ts'
import { withOperations } from './operations.ts'
import { formatRowCounts, formatTable, type OutputOptions, print, printError } from './print.ts'
import { createProgressBar } from './progress.ts'
import { withSiteDatabase } from './session.ts'

export function addMaintenanceCommands(program: Command): void {
  const images = program.command('images').description('manage the files in IMAGES_DIR')

  images
    .command('sizes')
    .description(
      'make the sizes of images that were stored without them, remove metadata from their files, and find out the width and height of others',
    )
    .action(async (output: OutputOptions) => {
      const { makeMissingImageSizes } = await import('../calendar/image/storage/make-sizes.ts')
      const progress = createProgressBar({ showRate: true })
      const show = (done: number, total: number) => progress.show(done, total, 'images')
      const report = await withSiteDatabase(settings(), async (session) => {
        const { others } = await registerDatabaseOfFolder(session.settings.imagesDir, session.settings.databaseUrl)
        return makeMissingImageSizes(session, { isShared: others.length > 0, show })
      }).finally(() => progress.end())
      for (const { id, url, problem } of report.failed) printError(`Image ${id} (${url}): ${problem}`)
      const { sized, cleaned, measured, failed } = report
      const counts = `${sized} images have sizes now, ${cleaned} lost their metadata, ${measured} were measured`
      print(output, report, [`${counts}, ${failed.length} failed`])
    })

  images
    .command('clean')
    .description('remove files older than an hour that no image uses, and leftovers of interrupted uploads')
    .option('--dry-run', 'only list the files')
    .action(async ({ dryRun = false, ...output }: OutputOptions & { dryRun?: boolean }) => {
      const { imagesDir, databaseUrl } = settings()
      const report = await withSiteDatabase(settings(), async ({ db, now }) => {
        const [other] = (await registerDatabaseOfFolder(imagesDir, databaseUrl)).others
        if (other === undefined) return removeUnusedFiles(imagesDir, db, { now: now(), dryRun })
        throw new Error(
          `The database ${other.name} also stores images in ${imagesDir}, so nothing was removed. If that database no longer exists, remove ${other.path}.`,
        )
      })
      const count = report.files.length === 1 ? '1 file' : `${report.files.length} files`
      const verb = dryRun ? 'would be removed' : 'removed'
      print(output, { dryRun, ...report }, [...report.files, `${count} ${verb}, ${report.bytes} bytes`])
    })

  const sample = program.command('sample').description('manage the sample that a new database gets with SEED=on')

  sample
    .command('remove')
    .description(
      'remove the sample records, including those in the trash, unless they were changed or other records use them',
    )
    .action(async (output: OutputOptions) => {
      const { removeSample } = await import('./sample/remove.ts')
      const report = await withOperations(settings(), {}, removeSample)
      for (const { kind, id, name, reason } of report.kept) printError(`Kept the ${kind} ${id} (${name}): ${reason}.`)
      print(output, report, [`Removed ${formatRowCounts(report.rows)}`])
    })

  const zones = program.command('zones').description('apply changes of time zone rules')

  zones
    .command('recompute')
    .description('recompute the instants of all events from their wall clocks and time zones, and list the changes')
    .option('--dry-run', 'only list the changes')
    .action(async ({ dryRun = false, ...output }: OutputOptions & { dryRun?: boolean }) => {
      const { recomputeEventInstants } = await import('../calendar/event/recompute-zones.ts')
      const report = await withSiteDatabase(settings(), (session) => recomputeEventInstants(session, { dryRun }))
      for (const { id, timeZone } of report.unknownZones) {
        printError(`Event ${id} was not changed: the time zone ${timeZone} is unknown.`)
      }
      const verb = dryRun ? 'would move' : 'moved'
      const summary = `${report.moved.length} of ${report.events} events ${verb}`
      const rows = report.moved.map(rowOf)
      const heads = ['id', 'wall clock', 'zone', 'started at', 'starts at', 'ended at', 'ends at', 'title']
      print(output, report, rows.length > 0 ? [...formatTable(heads, rows), summary] : [summary])
    })
}

const rowOf = ({ id, startsLocal, timeZone, startsAt, endsAt, title }: MovedEvent) => [
  String(id),
  startsLocal,
  timeZone,
  ...[startsAt.before, startsAt.after, endsAt.before, endsAt.after].map(instant),
  // Titles may have several lines.
  toSingleLine(title) ?? '',
]

const instant = (date: Date) => date.toISOString().replace('.000Z', 'Z')
