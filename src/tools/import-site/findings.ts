// What an import reports besides its counts: records that were skipped, values that changed, fields without a place here.
import type { RecordKind } from '../../kinds.ts'
import type { SourceId } from './source-records.ts'

/** Names the record that a finding is about. */
export interface Subject {
  readonly kind: RecordKind
  readonly id: SourceId | undefined
  readonly name: string
}

interface LossyField {
  readonly kind: RecordKind
  readonly field: string
  readonly count: number
  readonly example: string
}

export interface FoundProblems {
  readonly skipped: readonly (Subject & { readonly reason: string })[]
  readonly notes: readonly (Subject & { readonly note: string })[]
  /** Fields of the site that are not imported, or not exactly. */
  readonly lossyFields: readonly LossyField[]
  /** Records of another language that belong to no record of the original language. */
  readonly notJoined: readonly (Subject & { readonly language: string })[]
  /** About the site as a whole. */
  readonly warnings: readonly string[]
}

export interface Findings {
  skip(subject: Subject, reason: string): void
  note(subject: Subject, note: string): void
  lossy(kind: RecordKind, field: string, value: unknown): void
  notJoined(subject: Subject, language: string): void
  warn(warning: string): void
  problems(): FoundProblems
}

const maxExample = 120

export function createFindings(): Findings {
  const skipped: FoundProblems['skipped'][number][] = []
  const notes: FoundProblems['notes'][number][] = []
  const notJoined: FoundProblems['notJoined'][number][] = []
  const warnings = new Set<string>()
  const lossy = new Map<string, LossyField>()
  return {
    skip: ({ kind, id, name }, reason) => void skipped.push({ kind, id, name, reason }),
    note: ({ kind, id, name }, note) => void notes.push({ kind, id, name, note }),
    lossy: (kind, field, value) => {
      const key = `${kind}.${field}`
      const before = lossy.get(key)
      const example = before?.example ?? JSON.stringify(value).slice(0, maxExample)
      lossy.set(key, { kind, field, count: (before?.count ?? 0) + 1, example })
    },
    notJoined: ({ kind, id, name }, language) => void notJoined.push({ kind, id, name, language }),
    warn: (warning) => void warnings.add(warning),
    problems: () => ({ skipped, notes, lossyFields: [...lossy.values()], notJoined, warnings: [...warnings] }),
  }
}
