import type { Command } from 'commander'
import { settings } from '../../basics/env.ts'
import { logExport } from '../command-source.ts'
import { formatRowCounts, type OutputOptions, print, printError } from '../print.ts'
import { createProgressBar } from '../progress.ts'
import { withNewDatabase, withSiteDatabase } from '../session.ts'
import { exportToFile, exportToStream } from './export.ts'
import { importExportedRows, openExportFile, openExportStream, requireEmptyDatabase } from './import.ts'
import { contentTables } from './tables.ts'

export function addTransferCommands(program: Command): void {
  program
    .command('export')
    .description('export all content to an NDJSON file, and the images to a folder next to it')
    .argument('<file>', 'new file to write; - writes to stdout, including the images')
    .option('--accounts', 'include logins, e-mail addresses and hashes of credentials')
    .action(async (file: string, { accounts = false, ...output }: OutputOptions & { accounts?: boolean }) => {
      const toStdout = file === '-'
      const report = await withSiteDatabase(settings(), async (session) => {
        await logExport(session, { accounts })
        return toStdout
          ? exportToStream(process.stdout, session, { accounts })
          : exportToFile(file, session, { accounts })
      })
      for (const name of report.missingImages) printError(`The image ${name} is missing in IMAGES_DIR.`)
      print(output, report, [`${toStdout ? 'stdout' : file}: ${describeRows(report)}`], toStdout)
    })

  program
    .command('import')
    .description('import an export into an empty database; a failed import changes nothing')
    .argument('<file>', 'exported file; - reads stdin')
    .action(async (file: string, output: OutputOptions) => {
      const progress = createProgressBar()
      const source = await (file === '-' ? openExportStream(process.stdin) : openExportFile(file))
      const report = await withNewDatabase(
        settings(),
        (session) => importExportedRows(source, session, progress.show),
        ({ pool }) => requireEmptyDatabase(pool),
      ).finally(() => {
        source.close()
        progress.end()
      })
      print(output, report, [`Imported ${describeRows(report)}`])
    })
}

const describeRows = ({ rows }: { readonly rows: Readonly<Record<string, number>> }): string =>
  formatRowCounts(
    Object.fromEntries(
      Object.keys(contentTables)
        .reverse()
        .map((name) => [name, rows[name] ?? 0]),
    ),
  )
