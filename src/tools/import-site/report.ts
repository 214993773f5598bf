// The report of an import, as lines.
import type { FoundProblems, Subject } from './findings.ts'
import type { ImportCounts } from './import-records.ts'

export interface ImportReport extends FoundProblems, Omit<ImportCounts, 'failure'> {
  readonly site: string
  readonly dryRun: boolean
}

/** Lines of a list; with --json all are shown. */
const maxLines = 20

export function reportLines(report: ImportReport): string[] {
  const { site, dryRun, counts, pruned, skipped, notes, lossyFields, notJoined, warnings } = report
  const total = Object.entries(counts).map(([kind, { created, updated, unchanged, skipped }]) => {
    const parts = [`${created} created`, `${updated} updated`, `${unchanged} unchanged`, `${skipped} skipped`]
    return `  ${kind.padEnd(9)}  ${parts.join(', ')}`
  })
  return [
    dryRun ? `What an import of ${site} would do:` : `Imported ${site}:`,
    ...total,
    ...section('Warnings', warnings),
    ...section(
      'Skipped',
      skipped.map((each) => `${name(each)}: ${each.reason}`),
    ),
    ...section(
      'Notes',
      notes.map((each) => `${name(each)}: ${each.note}`),
    ),
    ...section(
      'Records of another language that belong to no record of the original language',
      notJoined.map((each) => `${name(each)} (${each.language})`),
    ),
    ...section(
      'Fields that are not imported, or not exactly',
      lossyFields.map(
        ({ kind, field, count, example }) => `${field} of ${count} records of the kind ${kind}, such as ${example}`,
      ),
    ),
    ...section(
      dryRun ? 'Would be removed' : 'Removed',
      pruned.map((each) => `${name(each)}${each.kept === undefined ? '' : `: stays. ${each.kept}`}`),
    ),
  ]
}

const name = ({ kind, id, name }: Subject) => `${kind} ${id ?? 'without ID'} ${JSON.stringify(name.slice(0, 80))}`

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const more = lines.length > maxLines ? [`  … and ${lines.length - maxLines} more, which --json lists`] : []
  return [`${title}:`, ...lines.slice(0, maxLines).map((line) => `  ${line}`), ...more]
}
