import { type Command, InvalidArgumentError, Option } from 'commander'
import { settings } from '../basics/env.ts'
import { toRecordStatus } from '../basics/record-status.ts'
import { addDays, addMonths, isZone, toWallClock } from '../basics/time.ts'
import type { VenueMode } from './icalendar/changes.ts'
import type { CalendarImportReport } from './icalendar/report.ts'
import { withOperations } from './operations.ts'
import { type OutputOptions, print } from './print.ts'
import { createProgressBar } from './progress.ts'

interface Options extends OutputOptions {
  readonly language?: string
  readonly timeZone?: string
  readonly from?: string
  readonly until?: string
  readonly status: 'publish' | 'draft' | 'pending'
  readonly author?: string
  readonly venues: VenueMode
  readonly dryRun?: boolean
}

export function addIcsCommands(program: Command): void {
  program
    .command('import-ics')
    .description('import events from an iCalendar file; importing it again updates what changed')
    .argument('<source>', 'file, http, https or webcal URL; - reads stdin')
    .option(
      '--language <code>',
      'language of texts without the parameter LANGUAGE (default: DEFAULT_LANGUAGE)',
      readLanguage,
    )
    .option(
      '--time-zone <zone>',
      'zone of times without a zone (default: X-WR-TIMEZONE of the file, or else SITE_TIMEZONE)',
      readZone,
    )
    .option(
      '--from <date>',
      'first day to import; of recurring events by default one year ago, at their first import',
      readDate,
    )
    .option('--until <date>', 'last day to import', readDate)
    .addOption(
      new Option('--status <status>', 'status of new events')
        .choices(['publish', 'draft', 'pending'])
        .default('publish'),
    )
    .option('--author <login>', 'author of new records (default: the oldest administrator)')
    .addOption(
      new Option(
        '--venues <mode>',
        'whether locations without a venue become venues (create) or text (match), or all become text',
      )
        .choices(['create', 'match', 'text'])
        .default('create'),
    )
    .option('--dry-run', 'write nothing, and report what would change')
    .action(async (source: string, options: Options) => {
      // Imported lazily: other commands do not need the parser.
      const [{ readCalendarFile }, { importCalendar }] = await Promise.all([
        import('./icalendar/read-bytes.ts'),
        import('./icalendar/import-calendar.ts'),
      ])
      const { language = settings().defaultLanguage, timeZone, venues, author, dryRun = false } = options
      const today = toWallClock(new Date(), settings().siteTimeZone)
      const { from = addMonths(today, -12).slice(0, 10), until = addMonths(today, 24).slice(0, 10) } = options
      if (until < from) throw new Error(`--until ${until} is before --from ${from}.`)
      const bytes = await readCalendarFile(source)
      const progress = createProgressBar()
      const report = await withOperations(settings(), { author: { login: author } }, (operations) =>
        importCalendar(bytes, operations, {
          ...{ from, until, language, timeZone, venues, dryRun },
          status: toRecordStatus(options.status),
          bounds: { from: options.from, until: options.until },
          onProgress: progress.show,
        }),
      ).finally(() => progress.end())
      print(options, report, linesOf(report))
    })
}

function readLanguage(text: string): string {
  const { languages } = settings()
  if (languages.includes(text.toLowerCase())) return text.toLowerCase()
  throw new InvalidArgumentError(`Use one of the languages ${languages.join(', ')} (setting LANGUAGES).`)
}

function readZone(text: string): string {
  if (isZone(text)) return text
  throw new InvalidArgumentError('Use a time zone such as Europe/Paris.')
}

function readDate(text: string): string {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  // Date.parse reads 30 February as 2 March.
  if (isDate && addDays(`${text}T00:00:00`, 0).startsWith(text)) return text
  throw new InvalidArgumentError('Use a date such as 2026-12-31.')
}

function linesOf({ dryRun, created, updated, unchanged, trashed, ...report }: CalendarImportReport): string[] {
  const unread = Object.entries(report.unreadProperties).map(([name, count]) => `${name} ${count}`)
  const counts = [`${created} created`, `${updated} updated`, `${unchanged} unchanged`, `${trashed} trashed`]
  const total = [...counts, `${report.skipped.length} skipped`].join(', ')
  return [
    ...report.skipped.map(({ uid, line, reason }) => `Skipped ${uid ?? 'a component'}${atLine(line)}: ${reason}`),
    ...report.notes,
    ...(unread.length > 0 ? [`Not read: ${unread.join(', ')}`] : []),
    dryRun ? `Nothing was written. It would be: ${total}` : total,
  ]
}

const atLine = (line: number | null) => (line === null ? '' : ` at line ${line}`)
