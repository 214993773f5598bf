// Formats the report of an import as lines of text.
import type { ImportFindings, RecordLabel } from './findings.ts'
import type { importRecords } from './import-records.ts'

interface ImportReport
  extends ReturnType<ImportFindings['problems']>,
    Omit<Awaited<ReturnType<typeof importRecords>>, 'failure'> {
  readonly site: string
  readonly dryRun: boolean
}

/** Maximum number of lines of a section. With --json there is no limit. */
const maxLines = 20

export function formatImportReport(report: ImportReport): string[] {
  const { site, dryRun, counts, pruned, skipped, notes, lossyFields, notJoined, warnings } = report
  const total = Object.entries(counts).map(([kind, { created, updated, unchanged, skipped }]) => {
    const parts = [`${created} created`, `${updated} updated`, `${unchanged} unchanged`, `${skipped} skipped`]
    return `  ${kind.padEnd(9)}  ${parts.join(', ')}`
  })
  return [
    dryRun ? `What an import of ${site} would do:` : `Imported ${site}:`,
    ...total,
    ...section('Warnings', warnings, String),
    ...section('Skipped', skipped, (each) => `${name(each)}: ${each.reason}`),
    ...section('Notes', notes, (each) => `${name(each)}: ${each.note}`),
    ...section(
      'Translations for which no record in the main language was found',
      notJoined,
      (each) => `${name(each)} (${each.language})`,
    ),
    ...section(
      'Fields that are not imported, or not exactly',
      lossyFields,
      ({ kind, field, count, example }) => `${field} of ${count} records of the kind ${kind}, such as ${example}`,
    ),
    ...section(
      dryRun ? 'Would be removed' : 'Removed',
      pruned,
      (each) => name(each) + (each.kept === undefined ? '' : `: stays. ${each.kept}`),
    ),
  ]
}

const name = ({ kind, id, name }: RecordLabel) => `${kind} ${id ?? 'without ID'} ${JSON.stringify(name.slice(0, 80))}`

function section<Item>(title: string, items: readonly Item[], lineOf: (item: Item) => string): string[] {
  if (items.length === 0) return []
  const more = items.length > maxLines ? [`  … and ${items.length - maxLines} more, which --json lists`] : []
  return [`${title}:`, ...items.slice(0, maxLines).map((item) => `  ${lineOf(item)}`), ...more]
}
