// Declares and reads the options of the command import-site.
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { type Settings, settings } from '../../basics/env.ts'
import { type OutputOptions, print } from '../print.ts'
import type { ImportSiteOptions } from './import-site.ts'
import type { SiteAddress } from './read-site.ts'
import { formatImportReport } from './report.ts'
import type { SourceId } from './source-records.ts'

interface CommandOptions extends Omit<ImportSiteOptions, 'addresses' | 'credentials'> {
  readonly user?: string
  readonly password?: string
  readonly passwordStdin?: true
  readonly languages: readonly SiteAddress[]
  readonly language?: string
}

export function addImportSiteCommand(program: Command): void {
  program
    .command('import-site')
    .description('import the content of a legacy site through its REST interface, and again what changed since')
    .argument('<url>', 'the site, or its namespace such as https://example.org/wp-json/tribe/events/v1')
    .addOption(
      createLoginOption('--user', 'login on the site, to import drafts and other unpublished content', 'LEGACY_USER'),
    )
    .addOption(createPasswordOption('--password', 'application password on the site', 'LEGACY_PASSWORD'))
    .option('--password-stdin', 'read the password from stdin')
    .option('--language <code>', 'language of <url> (default: DEFAULT_LANGUAGE)')
    .option(
      '--languages <urls>',
      'the site in other languages, such as fr=https://…/fr,es=https://…',
      parseSiteAddresses,
      [],
    )
    .option('--keep-ids', 'keep the IDs of the site where they are free (default: if all content is of this site)')
    .option('--no-keep-ids', 'give all records new IDs')
    .option(
      '--authors <file>',
      'JSON file: the logins of authors by their IDs, such as {"3": "ada"}',
      readAuthors,
      new Map(),
    )
    .option('--no-details', 'send no request per event; then only some sites show which events are cancelled or online')
    .option('--overwrite', 'also overwrite records that were edited in this service after their import', false)
    .option('--prune', 'trash the imported records that the site no longer has', false)
    .option('--dry-run', 'write nothing, and report what would change', false)
    .option('--concurrency <number>', 'number of simultaneous requests to the site', readConcurrency, 2)
    .action(async (url: string, options: OutputOptions & CommandOptions) => {
      const config = settings()
      const addresses = siteAddresses(url, options, config)
      const credentials = await readCredentials(options)
      // Imported lazily: the schema is most of the code, and other commands do not need it.
      const { importSite } = await import('./import-site.ts')
      const { report, failure } = await importSite({ ...options, addresses, credentials }, config)
      print(options, report, formatImportReport(report))
      if (failure) throw new Error(`The import stopped: ${failure.message} Run the command again to continue it.`)
    })
}

export const createLoginOption = (name: string, description: string, variable: string) =>
  new Option(`${name} <login>`, description).env(variable)

export const createPasswordOption = (name: string, description: string, variable: string) =>
  new Option(`${name} <password>`, `${description}; better in the environment`).env(variable)

function siteAddresses(url: string, { language, languages }: CommandOptions, config: Settings) {
  const main = { language: language ?? config.defaultLanguage, url }
  const codes = [main, ...languages].map((address) => address.language)
  const unknown = codes.find((code) => !config.languages.includes(code))
  if (unknown !== undefined) {
    const known = config.languages.join(',')
    throw new Error(`The language ${unknown} is not in LANGUAGES, which is ${known}. Add it there first.`)
  }
  const repeated = codes.find((code, index) => codes.indexOf(code) !== index)
  if (repeated === undefined) return [main, ...languages] as const
  throw new Error(`There are two URLs for the language ${repeated}. See --language and --languages.`)
}

/** Reads `fr=<url>,es=<url>`. A comma separates two addresses only before `<language>=`: URLs may contain commas. */
export function parseSiteAddresses(value: string): SiteAddress[] {
  return value.split(/,(?=[a-z-]+=https?:)/i).map((part) => {
    const [, language, url] = /^\s*([a-z-]+)=(https?:\S+)\s*$/i.exec(part) ?? []
    if (language !== undefined && url !== undefined) return { language: language.toLowerCase(), url }
    throw new InvalidArgumentError('Use the form fr=https://example.org/fr,es=https://example.org/es.')
  })
}

async function readCredentials({ user, password, passwordStdin }: CommandOptions) {
  const secret = passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : password
  if (user === undefined) {
    if (!secret && !passwordStdin) return undefined
    throw new Error('There is a password without a login. Set --user or LEGACY_USER to the login.')
  }
  if (secret) return { user, password: secret }
  throw new Error('There is a login without a password. Set LEGACY_PASSWORD, or use --password-stdin or --password.')
}

const authorFile = z.record(z.string().regex(/^\d+$/), z.string().trim().min(1))

function readAuthors(file: string): ReadonlyMap<SourceId, string> {
  try {
    const logins = authorFile.parse(JSON.parse(readFileSync(file, 'utf8')))
    return new Map(Object.entries(logins).map(([id, login]) => [Number(id), login]))
  } catch {
    throw new InvalidArgumentError(
      `${file} must be a JSON file with the logins of authors by their IDs, such as {"3": "ada"}.`,
    )
  }
}

function readConcurrency(value: string): number {
  const number = Number(value)
  if (Number.isInteger(number) && number >= 1 && number <= 20) return number
  throw new InvalidArgumentError('Use an integer from 1 to 20.')
}
