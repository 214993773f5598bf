// Decides between components of a file with the same UID.
import type { ImportedEvent } from './read-event.ts'
import type { Reporter } from './report.ts'

/** Of two components with the same UID, the newer one counts, unless they are translations of each other. */
export function addEvent(events: Map<string, ImportedEvent>, event: ImportedEvent, reporter: Reporter): void {
  const before = events.get(event.uid)
  if (!before) {
    events.set(event.uid, event)
    return
  }
  const added = event.texts.filter(({ language }) => !before.texts.some((text) => text.language === language))
  const isTranslation = before.texts[0]?.language !== event.texts[0]?.language && added.length > 0
  if (isTranslation) {
    events.set(event.uid, { ...before, texts: [...before.texts, ...added] })
    return
  }
  const kept = newer(before, event)
  events.set(event.uid, kept)
  const dropped = kept === before ? event : before
  reporter.skip(
    dropped,
    `The file has another event with this UID at line ${kept.line}, which is newer or comes later.`,
  )
}

function newer(before: ImportedEvent, after: ImportedEvent): ImportedEvent {
  const [first, second] = [before.sequence ?? 0, after.sequence ?? 0]
  if (first !== second) return first > second ? before : after
  return before.revised > after.revised ? before : after
}
