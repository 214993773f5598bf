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
  readonly moment: number
  /** Takes a message of the channel calendar_changes: `kind`, or `kind:number,number…`. */
  note(message: string): void
  /** Anything may have changed. */
  noteAll(): void
  /** Whether nothing that these depend on changed since that moment. */
  isCurrent(dependencies: Dependencies, since: number): boolean
}

interface Written {
  /** The last change of any record. */
  any: number
  /** The last change that did not tell which records. */
  all: number
  readonly records: Map<number, number>
}

/** Beyond so many records of a kind, all of them count as changed. */
const most = 10_000

export function createChanges(): Changes {
  let moment = 0
  const written = Object.fromEntries(
    kinds.map((kind) => [kind, { any: 0, all: 0, records: new Map<number, number>() }]),
  ) as Record<Kind, Written>

  const noteKind = (kind: Kind) => {
    const of = written[kind]
    of.any = moment
    of.all = moment
    of.records.clear()
  }
  const noteAll = () => {
    moment += 1
    for (const kind of kinds) noteKind(kind)
  }
  return {
    get moment() {
      return moment
    },
    noteAll,
    note(message) {
      const [name = '', numbers] = message.split(':')
      const kind = kinds.find((known) => known === name)
      // Of a newer version, which knows more kinds.
      if (kind === undefined) return noteAll()
      moment += 1
      const of = written[kind]
      const ids = numbers?.split(',').map(Number)
      if (ids === undefined || of.records.size + ids.length > most) return noteKind(kind)
      of.any = moment
      for (const id of ids) of.records.set(id, moment)
    },
    isCurrent(dependencies, since) {
      if (since === moment) return true
      for (const kind of dependencies.kinds) if (written[kind].any > since) return false
      for (const [kind, ids] of dependencies.records) {
        const { any, all, records } = written[kind]
        if (any <= since) continue
        if (all > since) return false
        for (const id of ids) if ((records.get(id) ?? 0) > since) return false
      }
      return true
    },
  }
}
