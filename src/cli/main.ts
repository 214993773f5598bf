// The command line: `npm run -s cli -- --help`. The only file that knows how it is called.
import { Command } from 'commander'
import { settings } from '../env.ts'
import { exportTo } from './export.ts'
import { importFrom } from './import.ts'
import { countRows, print } from './print.ts'
import { createProgress } from './progress.ts'
import { withNew, withSite } from './session.ts'

const program = new Command('cli')
  .description('Manages the calendar in the database that DATABASE_URL names; settings are those of the service.')
  .showHelpAfterError('(--help tells more)')

const json = ['--json', 'print one JSON document'] as const

program
  .command('export')
  .description('write everything as one NDJSON file, with the images in a folder beside it')
  .argument('<file>', 'file to write, which does not exist yet')
  .option('--accounts', 'with logins, e-mail addresses and hashes of credentials')
  .option(...json)
  .action(async (file: string, options: { accounts?: true; json?: true }) => {
    const report = await withSite(settings(), (session) =>
      exportTo(file, session, { accounts: options.accounts ?? false }),
    )
    for (const name of report.missingImages) console.error(`The image ${name} is missing in IMAGES_DIR.`)
    print(options, report, [`${file}: ${countRows(report)}`])
  })

program
  .command('import')
  .description('store what export wrote in an empty database, all or nothing')
  .argument('<file>', 'file that export wrote')
  .option(...json)
  .action(async (file: string, options: { json?: true }) => {
    const progress = createProgress()
    const report = await withNew(settings(), (session) => importFrom(file, session, progress.show)).finally(
      progress.end,
    )
    print(options, report, [`Imported ${countRows(report)}`])
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
