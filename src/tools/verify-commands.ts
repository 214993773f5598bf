import { type Command, InvalidArgumentError } from 'commander'
import { createLoginOption, createPasswordOption, parseSiteAddresses } from './import-site/command.ts'
import { type OutputOptions, print, printError } from './print.ts'
import { createProgressBar } from './progress.ts'

interface VerifyArguments extends OutputOptions {
  readonly languages: Readonly<Record<string, string>>
  readonly sample: number
  readonly concurrency: number
  readonly ignore: readonly string[]
  readonly user?: string
  readonly password?: string
  readonly ourUser?: string
  readonly ourPassword?: string
}

export function addVerifyCommands(program: Command): void {
  program
    .command('verify-site')
    .description('send the same requests to a legacy site and to this service, and compare the responses')
    .argument(
      '<legacy-url>',
      'the site, or the root of its API such as https://example.org/wp-json/tribe/events/v1',
      readUrl,
    )
    .argument('<our-url>', 'root of the API of this service, such as https://new.example.org/cal/events/v1', readUrl)
    .option(
      '--languages <roots>',
      'roots of other languages of the legacy site, such as fr=https://…,es=https://…',
      readRoots,
      {},
    )
    .option('--sample <requests>', 'number of requests to each site', readNumber, 200)
    .option('--concurrency <requests>', 'number of simultaneous requests to each site', readNumber, 2)
    .option('--ignore <fields>', 'fields not to compare, such as modified,event.image', readList, [])
    .addOption(createLoginOption('--user', 'login on the legacy site', 'LEGACY_USER'))
    .addOption(createPasswordOption('--password', 'password on the legacy site', 'LEGACY_PASSWORD'))
    .addOption(createLoginOption('--our-user', 'login on this service', 'OUR_USER'))
    .addOption(createPasswordOption('--our-password', 'password on this service', 'OUR_PASSWORD'))
    .addHelpText(
      'after',
      '\nExit code 1: a difference that docs/legacy-contract.md does not explain. 2: a site does not respond.',
    )
    .action(async (legacyUrl: string, ourUrl: string, options: VerifyArguments) => {
      const { createSiteClient } = await import('./import-site/site-client.ts')
      const { createSendRequest, findApiRoot, UnreachableError } = await import('./verify-site/send.ts')
      const { verifySite } = await import('./verify-site/verify-site.ts')
      const { formatVerifyReport } = await import('./verify-site/report.ts')
      const { concurrency, languages, sample, ignore } = options
      const clientOf = (user?: string, password = '') =>
        createSiteClient({ credentials: user === undefined ? undefined : { user, password }, concurrency, attempts: 3 })
      const legacy = clientOf(options.user, options.password)
      const ours = clientOf(options.ourUser, options.ourPassword)
      const progress = createProgressBar()
      try {
        const [legacyRoot, ourRoot] = await Promise.all([findApiRoot(legacy, legacyUrl), findApiRoot(ours, ourUrl)])
        const report = await verifySite({
          legacy: { root: legacyRoot, send: createSendRequest(legacy), languages },
          ours: { root: ourRoot, send: createSendRequest(ours), languages: rootsOf(ourRoot, languages) },
          sample,
          concurrency,
          ignore,
          hasCredentials: legacy.hasCredentials && ours.hasCredentials,
          onProgress: progress.show,
        })
        print(options, report, formatVerifyReport(report))
        if (report.unexplained.length > 0) process.exitCode = 1
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error
        printError(error.message)
        process.exitCode = 2
      } finally {
        progress.end()
      }
    })
}

/** Returns the API root of this service for each language, such as `/fr/…`. */
function rootsOf(root: string, languages: object) {
  const { origin, pathname, search } = new URL(root)
  return Object.fromEntries(
    Object.keys(languages).map((language) => [language, `${origin}/${language}${pathname}${search}`]),
  )
}

function readUrl(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new InvalidArgumentError('Give an http:// or https:// URL.')
}

const readRoots = (text: string): Record<string, string> =>
  Object.fromEntries(parseSiteAddresses(text).map(({ language, url }) => [language, url]))

function readNumber(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number > 0) return number
  throw new InvalidArgumentError('Give a whole number above 0.')
}

const readList = (text: string): string[] => text.split(',').flatMap((item) => item.trim() || [])
