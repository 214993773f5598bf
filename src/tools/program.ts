// Defines the command line program, runs it and prints errors.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addCredentialCommands } from './accounts/credential-commands.ts'
import { addUserCommands } from './accounts/user-commands.ts'
import { addAuditCommand } from './audit/command.ts'
import { nameCommandSource } from './command-source.ts'
import { addIcsCommands } from './ics-commands.ts'
import { addImportSiteCommand } from './import-site/command.ts'
import { addMaintenanceCommands } from './maintenance-commands.ts'
import { printError } from './print.ts'
import { addSpreadsheetCommands } from './spreadsheets/commands.ts'
import { addTransferCommands } from './transfer/commands.ts'
import { addVerifyCommands } from './verify-commands.ts'
import { addWebhookCommands } from './webhooks/commands.ts'

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

export const program = new Command('cli')
  .version(version)
  .description(
    'Manages the calendar in the database at DATABASE_URL. The command line reads the same settings as the service.',
  )
  .hook('preAction', (_program, command) => nameCommandSource(command))
  // Must precede the commands, which inherit the setting. Joins the lines of commander's error messages.
  .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}; see --help\n`) })

const oneLine = (text: string) => text.trim().replace(/\.$/, '').replaceAll('\n', ' ')

addUserCommands(program)
addCredentialCommands(program)
addTransferCommands(program)
addImportSiteCommand(program)
addSpreadsheetCommands(program)
addIcsCommands(program)
addAuditCommand(program)
addMaintenanceCommands(program)
addVerifyCommands(program)
addWebhookCommands(program)
for (const command of leavesOf(program)) command.option('--json', 'print one JSON document')

function leavesOf({ commands }: Command): Command[] {
  return commands.flatMap((command) => (command.commands.length > 0 ? leavesOf(command) : [command]))
}

export async function runProgram(): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    printError(error instanceof Error ? error.message.trim() : String(error))
    process.exitCode = 1
  }
}
