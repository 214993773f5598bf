// Collects what an import reports besides its counts: skipped records, changed values, and fields that are not imported.
import type { RecordKind } from '../../kinds.ts'
import type { SourceId } from './source-records.ts'

/** Identifies the record of a message in the report. */
export interface RecordLabel {
  readonly kind: RecordKind
  readonly id: SourceId | undefined
  readonly name: string
}

export type ImportFindings = ReturnType<typeof createImportFindings>

export function createImportFindings() {
  const skipped: (RecordLabel & { readonly reason: string })[] = []
  const notes: (RecordLabel & { readonly note: string })[] = []
  /** Fields of the site that are not imported, or whose values change, by `kind.field`. */
  const lossy = new Map<string, { kind: RecordKind; field: string; count: number; example: string }>()
  /** Translations for which no record in the main language was found. */
  const notJoined: (RecordLabel & { readonly language: string })[] = []
  /** Warnings about the site as a whole. */
  const warnings = new Set<string>()
  return {
    skip: ({ kind, id, name }: RecordLabel, reason: string) => void skipped.push({ kind, id, name, reason }),
    note: ({ kind, id, name }: RecordLabel, note: string) => void notes.push({ kind, id, name, note }),
    lossy(kind: RecordKind, field: string, value: unknown) {
      const key = `${kind}.${field}`
      const found = lossy.get(key) ?? { kind, field, count: 0, example: JSON.stringify(value).slice(0, 120) }
      lossy.set(key, { ...found, count: found.count + 1 })
    },
    notJoined: ({ kind, id, name }: RecordLabel, language: string) => void notJoined.push({ kind, id, name, language }),
    warn: (warning: string) => void warnings.add(warning),
    problems: () => ({ skipped, notes, lossyFields: [...lossy.values()], notJoined, warnings: [...warnings] }),
  }
}
