// Collects what an import did, for the report of the command.
interface EventLabel {
  readonly uid: string | null
  /** Line of the file where the component begins. */
  readonly line: number | null
}

/** Maximum number of notes, and of skipped events: a hostile file could cause any number. */
const maxEntries = 1000

/** Records skipped events, notes about events, and ignored properties of an import. */
export type Reporter = ReturnType<typeof createReporter>
export type CalendarImportReport = ReturnType<Reporter['report']>

export function createReporter(dryRun: boolean) {
  const counts = { created: 0, updated: 0, unchanged: 0, trashed: 0 }
  const notes = new Set<string>()
  const skipped: (EventLabel & { readonly reason: string })[] = []
  const unread = new Map<string, number>()
  let left = 0
  const add = (text: string): void => {
    if (notes.size < maxEntries) notes.add(text)
    else if (!notes.has(text)) left += 1
  }
  return {
    add,
    /** Returns a function that adds notes about one event. */
    noteOn:
      ({ uid, line }: EventLabel) =>
      (text: string): void =>
        add(`Event ${uid} (line ${line}): ${text}`),
    count: (outcome: keyof typeof counts): void => {
      counts[outcome] += 1
    },
    skip: ({ uid, line }: EventLabel, reason: string): void => {
      if (skipped.length < maxEntries) skipped.push({ uid, line, reason })
      else left += 1
    },
    /** Counts a property that the import ignores. */
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
