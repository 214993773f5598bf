// Registers the commands and formats errors.
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addCredentialCommands } from './accounts/credential-commands.ts'
import { addUserCommands } from './accounts/user-commands.ts'
import { addIcsCommands } from './ics-commands.ts'
import { addImageCommands } from './image-commands.ts'
import { addImportSiteCommand } from './import-site/command.ts'
import { printError } from './print.ts'
import { addSampleCommands } from './sample-commands.ts'
import { addSpreadsheetCommands } from './spreadsheets/commands.ts'
import { addTransferCommands } from './transfer/commands.ts'
import { addVerifyCommands } from './verify-commands.ts'
import { addZoneCommands } from './zone-commands.ts'

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

export const program = new Command('cli')
  .version(version)
  .description(
    'Manages the calendar in the database at DATABASE_URL. The command line reads the same settings as the service.',
  )
  // Before the commands are added, because they inherit it. Errors of commander can have several lines.
  .configureOutput({ outputError: (text, write) => write(`${oneLine(text)}; see --help\n`) })

const oneLine = (text: string) => text.trim().replace(/\.$/, '').replaceAll('\n', ' ')

addUserCommands(program)
addCredentialCommands(program)
addTransferCommands(program)
addImportSiteCommand(program)
addSpreadsheetCommands(program)
addIcsCommands(program)
addImageCommands(program)
addSampleCommands(program)
addZoneCommands(program)
addVerifyCommands(program)

export async function run(): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    printError(error instanceof Error ? error.message.trim() : String(error))
    process.exitCode = 1
  }
}
