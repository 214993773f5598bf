// What an import did, as its command reports it.

/** Remarks about the file. A hostile file could cause any number of them. */
export interface Notes {
  add(text: string): void
}

interface Skipped {
  readonly uid: string | null
  /** Line of the file where the component begins. */
  readonly line: number | null
  readonly reason: string
}

export interface ImportReport {
  readonly dryRun: boolean
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** Occurrences that are no longer in the calendar. */
  readonly trashed: number
  readonly skipped: readonly Skipped[]
  readonly notes: readonly string[]
  /** How often each property was not read, by its name. */
  readonly unreadProperties: Readonly<Record<string, number>>
}

type Count = 'created' | 'updated' | 'unchanged' | 'trashed'

export interface Reporter extends Notes {
  count(outcome: Count): void
  skip(component: Pick<Skipped, 'uid' | 'line'>, reason: string): void
  /** Remarks about an event. */
  noteOn(event: Pick<Skipped, 'uid' | 'line'>): (text: string) => void
  addUnread(property: string): void
  report(): ImportReport
}

const maxEntries = 1000

export function createReporter(dryRun: boolean): Reporter {
  const counts: Record<Count, number> = { created: 0, updated: 0, unchanged: 0, trashed: 0 }
  const notes = new Set<string>()
  const skipped: Skipped[] = []
  const unread = new Map<string, number>()
  let left = 0
  const add = (text: string) => {
    if (notes.size < maxEntries) notes.add(text)
    else if (!notes.has(text)) left += 1
  }
  return {
    add,
    noteOn:
      ({ uid, line }) =>
      (text) =>
        add(`Event ${uid} (line ${line}): ${text}`),
    count: (outcome) => {
      counts[outcome] += 1
    },
    skip: ({ uid, line }, reason) => {
      if (skipped.length < maxEntries) skipped.push({ uid, line, reason })
      else left += 1
    },
    addUnread: (property) => {
      if (unread.size < maxEntries || unread.has(property)) unread.set(property, (unread.get(property) ?? 0) + 1)
    },
    report: () => {
      const more = left > 0 ? [`${left} further entries were left out of this report.`] : []
      const unreadProperties = Object.fromEntries([...unread].sort())
      return { dryRun, ...counts, skipped, notes: [...notes, ...more], unreadProperties }
    },
  }
}
