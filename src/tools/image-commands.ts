import type { Command } from 'commander'
import { settings } from '../basics/env.ts'
import { registerFolderUser } from '../calendar/image/storage/folder-users.ts'
import { removeUnusedFiles } from '../calendar/image/storage/remove-unused.ts'
import { json, type Output, print, printError } from './print.ts'
import { createProgress } from './progress.ts'
import { withSite } from './session.ts'

export function addImageCommands(program: Command): void {
  const images = program.command('images').description('manage the files in IMAGES_DIR')

  images
    .command('sizes')
    .description(
      'make the sizes of images that were stored without them, remove metadata from their files, and find out the width and height of others',
    )
    .option(...json)
    .action(async (output: Output) => {
      const { makeMissingSizes } = await import('../calendar/image/storage/make-sizes.ts')
      const progress = createProgress({ showRate: true })
      const show = (done: number, total: number) => progress.show(done, total, 'images')
      const report = await withSite(settings(), async (session) => {
        const { others } = await registerFolderUser(session.settings.imagesDir, session.settings.databaseUrl)
        return makeMissingSizes(session, { isShared: others.length > 0, show })
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
    .option(...json)
    .action(async ({ dryRun = false, ...output }: Output & { dryRun?: boolean }) => {
      const { imagesDir, databaseUrl } = settings()
      const report = await withSite(settings(), async ({ db, now }) => {
        const [other] = (await registerFolderUser(imagesDir, databaseUrl)).others
        if (other === undefined) return removeUnusedFiles(imagesDir, db, { now: now(), dryRun })
        throw new Error(
          `The database ${other.name} also stores images in ${imagesDir}, so nothing was removed. If that database no longer exists, remove ${other.path}.`,
        )
      })
      const count = report.files.length === 1 ? '1 file' : `${report.files.length} files`
      const verb = dryRun ? 'would be removed' : 'removed'
      print(output, { dryRun, ...report }, [...report.files, `${count} ${verb}, ${report.bytes} bytes`])
    })
}
