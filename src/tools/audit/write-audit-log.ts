// Writes entries of the audit log as CSV or as a JSON array.
import type { Settings } from '../../basics/env.ts'
import { CliAuditLogDocument, type CliAuditLogQuery } from '../../generated/graphql/graphql.ts'
import { accountsOf } from '../accounts/accounts.ts'
import { logExport } from '../command-source.ts'
import { readAllNodes, withOperations } from '../operations.ts'
import { type OutputOptions, print } from '../print.ts'
import { type CsvCell, formatCsvRow } from '../spreadsheets/csv.ts'
import { type WriteText, writeToFile, writeToStream } from '../write-text.ts'

export interface AuditFlags extends OutputOptions {
  readonly from?: Date
  readonly to?: Date
  readonly user?: string
  readonly format: 'csv' | 'json'
  readonly file: string
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

export async function runAuditCommand(flags: AuditFlags, settings: Settings): Promise<void> {
  const { from, to, user, file } = flags
  const { start, separator, end, rowOf } = formats[flags.format]
  const toStdout = file === '-'
  const entries = await withOperations(settings, {}, async ({ execute, session }) => {
    const users = user === undefined ? undefined : [(await accountsOf(execute, settings.perPageMax).userOf(user)).id]
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
    return toStdout ? writeToStream(process.stdout, writeEntries) : writeToFile(file, writeEntries)
  })
  const summary = `${toStdout ? 'stdout' : file}: ${entries} ${entries === 1 ? 'entry' : 'entries'}`
  print(flags, { file, entries }, [summary], toStdout)
}
