// The command that writes the audit log, as CSV or as a JSON array.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { settings } from '../../basics/env.ts'
import { CliAuditLogDocument, type CliAuditLogQuery } from '../../generated/graphql/graphql.ts'
import { accountsOf } from '../accounts/accounts.ts'
import { logExport } from '../command-source.ts'
import { readAllNodes, withOperations } from '../operations.ts'
import { type OutputOptions, print } from '../print.ts'
import { type CsvCell, formatCsvRow } from '../spreadsheets/csv.ts'
import { type WriteText, writeOutput } from '../write-text.ts'

interface AuditFlags extends OutputOptions {
  readonly from?: Date
  readonly to?: Date
  readonly user?: string
  readonly format: 'csv' | 'json'
  readonly file: string
}

export function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('write the audit log, newest entries first: who changed what, signed in or exported')
    .option(
      '--from <time>',
      'only entries from this day or time on, such as 2027-01-31 or 2027-01-31T08:00:00Z',
      readTime,
    )
    .option('--to <time>', 'only entries before this day or time', readTime)
    .option('--user <login>', 'only what this user did')
    .addOption(new Option('--format <format>', 'format of the file').choices(['csv', 'json']).default('csv'))
    .option('--file <file>', 'new file to write; - writes to stdout', '-')
    .action(runAuditCommand)
}

/** Days are those of UTC, as the times in the file. */
function readTime(text: string): Date {
  if (z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text).success) return new Date(text)
  throw new InvalidArgumentError(
    'Give a day such as 2027-01-31, or a time with a UTC offset such as 2027-01-31T00:00:00Z.',
  )
}

type Entry = CliAuditLogQuery['auditLog']['nodes'][number]

const pageSize = 100

const numberCell = (value: number | null): CsvCell => ({ number: String(value ?? '') })

const columns: Readonly<Record<string, (entry: Entry) => CsvCell>> = {
  id: ({ id }) => id,
  time: ({ createdAt }) => createdAt.toISOString(),
  action: ({ action }) => action.toLowerCase(),
  kind: ({ kind }) => kind.toLowerCase(),
  record_id: ({ databaseId }) => numberCell(databaseId),
  record: ({ name }) => name ?? '',
  user_id: ({ userId }) => numberCell(userId),
  user: ({ user }) => user?.name ?? '',
  credential_id: ({ credentialId }) => numberCell(credentialId),
  source: ({ source }) => source ?? '',
  request_id: ({ requestId }) => requestId ?? '',
  changes: ({ changes }) => (changes.length === 0 ? '' : JSON.stringify(changes)),
}

const formats = {
  csv: {
    start: formatCsvRow(Object.keys(columns), ','),
    separator: '',
    end: '',
    rowOf: (entry: Entry) =>
      formatCsvRow(
        Object.values(columns).map((read) => read(entry)),
        ',',
      ),
  },
  json: { start: '[\n', separator: ',\n', end: '\n]\n', rowOf: (entry: Entry) => JSON.stringify(entry) },
} as const

async function runAuditCommand(flags: AuditFlags): Promise<void> {
  const { from, to, user, file } = flags
  const { start, separator, end, rowOf } = formats[flags.format]
  const toStdout = file === '-'
  const entries = await withOperations(settings(), {}, async ({ execute, session }) => {
    const users =
      user === undefined ? undefined : [(await accountsOf(execute, session.settings.perPageMax).userOf(user)).id]
    await logExport(session, { from, to, users })
    const filter = { from, to, users }
    const writeEntries = async (write: WriteText) => {
      let count = 0
      await write(start)
      const pageOf = async (after: string | null) =>
        (await execute(CliAuditLogDocument, { first: pageSize, after, filter })).auditLog
      for await (const entry of readAllNodes(pageOf)) {
        await write(`${count === 0 ? '' : separator}${rowOf(entry)}`)
        count += 1
      }
      await write(end)
      return count
    }
    return writeOutput(file, writeEntries)
  })
  const summary = `${toStdout ? 'stdout' : file}: ${entries} ${entries === 1 ? 'entry' : 'entries'}`
  print(flags, { file, entries }, [summary], toStdout)
}
