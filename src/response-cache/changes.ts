// What was written lately, as the database tells it: answers that are older are not true any more.

import { recordKinds } from '../content/kinds.ts'

const kinds = [...recordKinds, 'image', 'user'] as const

/** A kind of record; what hangs on a record (texts, slugs, links, counts) is told as the record itself. */
export type Kind = (typeof kinds)[number]

/** What an answer is made of. */
export interface Dependencies {
  /** Any record of these. */
  readonly kinds: ReadonlySet<Kind>
  /** These records, by number. */
  readonly records: ReadonlyMap<Kind, ReadonlySet<number>>
}

/** Moments count changes: a later one is greater, and nothing changed between two that are equal. */
export interface Changes {
  readonly version: number
  /** Takes a message of the channel calendar_changes: `kind`, or `kind:number,number…`. */
  invalidate(message: string): void
  /** Anything may have changed. */
  invalidateAll(): void
  /** Whether nothing that these depend on changed since that moment. */
  isCurrent(dependencies: Dependencies, since: number): boolean
}

interface KindChanges {
  /** The last change of any record. */
  last: number
  /** The last change that did not tell which records. */
  lastOfAll: number
  readonly records: Map<number, number>
}

/** Beyond so many records of a kind, all of them count as changed. */
const maxRecords = 10_000

export function createChanges(): Changes {
  let version = 0
  const changesByKind = Object.fromEntries(
    kinds.map((kind) => [kind, { last: 0, lastOfAll: 0, records: new Map<number, number>() }]),
  ) as Record<Kind, KindChanges>

  const invalidateKind = (kind: Kind) => {
    const of = changesByKind[kind]
    of.last = version
    of.lastOfAll = version
    of.records.clear()
  }
  const noteAll = () => {
    version += 1
    for (const kind of kinds) invalidateKind(kind)
  }
  return {
    get version() {
      return version
    },
    invalidateAll: noteAll,
    invalidate(message) {
      const [name = '', numbers] = message.split(':')
      const kind = kinds.find((known) => known === name)
      // Of a newer version, which knows more kinds.
      if (kind === undefined) return noteAll()
      version += 1
      const of = changesByKind[kind]
      const ids = numbers?.split(',').map(Number)
      if (ids === undefined || of.records.size + ids.length > maxRecords) return invalidateKind(kind)
      of.last = version
      for (const id of ids) of.records.set(id, version)
    },
    isCurrent(dependencies, since) {
      if (since === version) return true
      for (const kind of dependencies.kinds) if (changesByKind[kind].last > since) return false
      for (const [kind, ids] of dependencies.records) {
        const { last, lastOfAll, records } = changesByKind[kind]
        if (last <= since) continue
        if (lastOfAll > since) return false
        for (const id of ids) if ((records.get(id) ?? 0) > since) return false
      }
      return true
    },
  }
}
