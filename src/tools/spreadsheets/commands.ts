// The commands that export content to spreadsheets and import it from them. Most of the code is imported lazily, because
// other commands do not need it.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { kinds } from '../../kinds.ts'
import type { ExportFlags } from './export-rows.ts'
import type { ImportFlags } from './run-import.ts'

export function addSpreadsheetCommands(program: Command): void {
  addExportOptions(program.command('export-csv').description('export records to a CSV file for spreadsheet programs'))
    .option('--delimiter <character>', 'character between cells, or the word tab', checkDelimiter, ',')
    .option('--bom', 'start with a byte order mark, so that Excel recognizes UTF-8')

  addExportOptions(
    program.command('export-json').description('export records to a JSON file with the same columns'),
  ).option('--ndjson', 'write one object per line instead of an array')

  addImportOptions(program.command('import-csv').description('create and update records from a CSV file'), 'csv')
    .option('--delimiter <character>', 'character between cells, or the word tab (default: detected)', checkDelimiter)
    .option(
      '--encoding <name>',
      'encoding of the file, such as latin1, macintosh or utf-16le (default: by its first bytes, else utf-8)',
      checkEncoding,
    )

  addImportOptions(
    program.command('import-json').description('create and update records from a JSON array or from NDJSON'),
    'json',
  )
}

const kindOption = () =>
  new Option('--kind <kind>', 'kind of the records')
    .choices(Object.values(kinds).map(({ plural }) => plural))
    .default('events')

const addExportOptions = (command: Command): Command =>
  command
    .action(async (options: ExportFlags) => (await import('./export-rows.ts')).runExportCommand(options))
    .addOption(kindOption())
    .option('--language <languages>', 'languages of the texts, separated by commas (default: all of the site)')
    .option('--from <day>', 'only events that take place on this day or later, such as 2027-01-31 or today')
    .option('--to <day>', 'only events that take place on this day or earlier')
    .option('--search <text>', 'only records with these words')
    .option('--category <category>', 'only events in this category or below it: slug, name or ID')
    .option('--tag <tag>', 'only events with this tag: slug, name or ID')
    .option('--venue <id>', 'only events at this venue')
    .option('--organizer <id>', 'only events of this organizer')
    .option('--file <file>', 'new file to write; - writes to stdout', '-')

const addImportOptions = (command: Command, format: 'csv' | 'json'): Command =>
  command
    .action(async (file: string, options: ImportFlags) =>
      (await import('./run-import.ts')).runImportCommand(format, file, options),
    )
    .argument('<file>', 'file to read; - reads stdin')
    .addOption(kindOption())
    .option('--language <language>', 'language of texts whose columns name none (default: that of the site)')
    .option('--mapping <file>', 'JSON file that maps the columns and values of the file')
    .option('--as <login>', 'user who writes, with their rights (default: the oldest administrator)')
    .option('--create-missing', 'create venues, organizers, categories and tags of events that do not exist')
    .option('--dry-run', 'only list the changes')
    .option('--continue', 'write the valid rows if others have errors')

function checkEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw new InvalidArgumentError('Use a name such as utf-8, utf-16le, latin1, windows-1250 or macintosh.')
  }
}

function checkDelimiter(text: string): string {
  const delimiter = text === 'tab' ? '\t' : text
  if (delimiter.length === 1 && !/["\r\n\w']/.test(delimiter)) return delimiter
  throw new InvalidArgumentError('Use one character such as , or ; or the word tab.')
}
