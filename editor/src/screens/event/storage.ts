// Unsaved changes are kept by the browser, so that nothing is lost if it is closed.
import { forgetItem, keepItem, keysOf, readItem } from '../../local-storage.ts'
import { basePath, contentLanguages } from '../../site.ts'
import type { FormState } from './merge.ts'

interface Stored {
  readonly version: string
  readonly state: FormState
  /** Milliseconds since 1970. */
  readonly at?: number
}

/** Whose changes of which event. Several people may use the computer, and one host may have several sites. */
export interface Place {
  readonly viewerId: string
  /** Number of the event; one that has none yet starts with `new`. */
  readonly event: string
}

/** Values of another version of the form, or of a site with other languages, cannot be read. */
const version = `3 ${contentLanguages}`
export const keyOf = ({ viewerId, event }: Place): string => `editor-event ${basePath} ${viewerId} ${event}`

function readStored(key: string): Partial<Stored> | undefined {
  try {
    return JSON.parse(readItem(key) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export function readUnsaved(place: Place): FormState | undefined {
  const stored = readStored(keyOf(place))
  return stored?.version === version ? stored.state : undefined
}

export const keepUnsaved = (place: Place, state: FormState): void =>
  keepItem(keyOf(place), JSON.stringify({ version, state, at: Date.now() } satisfies Stored))

export const forgetUnsaved = (place: Place): void => forgetItem(keyOf(place))

/** Returns whether there was something, and room for it. */
export function moveUnsaved(from: Place, to: Place): boolean {
  const state = readUnsaved(from)
  if (!state) return false
  keepUnsaved(to, state)
  if (!readUnsaved(to)) return false
  forgetUnsaved(from)
  return true
}

const longest = 30 * 24 * 60 * 60 * 1000

/** New events of a person that were never saved, the last one first. Forgets those that nobody came back to. */
export function unsavedNewEvents(viewerId: string): Place[] {
  const now = Date.now()
  const start = keyOf({ viewerId, event: '' })
  const all = keysOf(keyOf({ viewerId, event: 'new' })).map((key) => ({ key, ...readStored(key) }))
  for (const { key, at = now } of all) if (now - at > longest) forgetItem(key)
  return all
    .filter(({ version: written, at = now }) => written === version && now - at <= longest)
    .sort((one, other) => (other.at ?? 0) - (one.at ?? 0))
    .map(({ key }) => ({ viewerId, event: key.slice(start.length) }))
}
