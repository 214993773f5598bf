// What an import did, as its command reports it.
interface Subject {
  readonly uid: string | null
  /** Line of the file where the component begins. */
  readonly line: number | null
}

/** Of each list, because a hostile file could cause any number of them. */
const maxEntries = 1000

export type Reporter = ReturnType<typeof createReporter>
export type ImportReport = ReturnType<Reporter['report']>

export function createReporter(dryRun: boolean) {
  const counts = { created: 0, updated: 0, unchanged: 0, trashed: 0 }
  const notes = new Set<string>()
  const skipped: (Subject & { readonly reason: string })[] = []
  const unread = new Map<string, number>()
  let left = 0
  const add = (text: string): void => {
    if (notes.size < maxEntries) notes.add(text)
    else if (!notes.has(text)) left += 1
  }
  return {
    add,
    /** For remarks about an event. */
    noteOn:
      ({ uid, line }: Subject) =>
      (text: string): void =>
        add(`Event ${uid} (line ${line}): ${text}`),
    count: (outcome: keyof typeof counts): void => {
      counts[outcome] += 1
    },
    skip: ({ uid, line }: Subject, reason: string): void => {
      if (skipped.length < maxEntries) skipped.push({ uid, line, reason })
      else left += 1
    },
    /** Counts a property that is not imported. */
    addUnread: (property: string): void => {
      if (unread.size < maxEntries || unread.has(property)) unread.set(property, (unread.get(property) ?? 0) + 1)
    },
    report: () => {
      const more = left > 0 ? [`${left} further entries were left out of this report.`] : []
      const unreadProperties = Object.fromEntries([...unread].sort())
      return { dryRun, ...counts, skipped, notes: [...notes, ...more], unreadProperties }
    },
  }
}
