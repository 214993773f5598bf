// The command that writes the audit log to a file.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { settings } from '../../basics/env.ts'
import type { AuditFlags } from './write-audit-log.ts'

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
    .action(async (flags: AuditFlags) => (await import('./write-audit-log.ts')).runAuditCommand(flags, settings()))
}

/** Days are those of UTC, as the times in the file. */
function readTime(text: string): Date {
  if (z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text).success) return new Date(text)
  throw new InvalidArgumentError(
    'Give a day such as 2027-01-31, or a time with a UTC offset such as 2027-01-31T00:00:00Z.',
  )
}
