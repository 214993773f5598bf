// Unsaved changes are kept by the browser, so that nothing is lost if it is closed.
import { forgetItem, keepItem, keysOf, readItem } from '../../local-storage.ts'
import { basePath, contentLanguages } from '../../site.ts'
import { type FormState, merge } from './merge.ts'
import { isSame, type Values } from './values.ts'

interface Stored {
  readonly version: string
  readonly state: FormState
  /** A password was typed, which is not in the state. */
  readonly hadPassword?: boolean
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

export function readUnsaved(place: Place) {
  const { version: written, state, hadPassword = false } = readStored(keyOf(place)) ?? {}
  return written === version && state ? { state, hadPassword } : undefined
}

/** What a form starts with: what the service has, with the changes that the browser has kept. */
export function begin(server: Values, place: Place) {
  const { state, hadPassword = false } = readUnsaved(place) ?? {}
  if (state && !isSame(state.values, state.saved)) return { ...merge(state, server), hadPassword, isRestored: true }
  const clean = { values: server, saved: server, server }
  return { state: clean, theirs: [], conflicts: [], hadPassword, isRestored: false }
}

/** Other people who use the browser could read a password. */
const withoutPassword = (values: Values): Values => (values.password ? { ...values, password: '' } : values)

/** Whether a password waits to be saved, which the browser does not keep. */
export const hasTypedPassword = ({ values, saved }: Pick<FormState, 'values' | 'saved'>): boolean =>
  Boolean(values.password) && values.password !== saved.password

/** `hadPassword`: a password was typed earlier, and not again. */
export function keepUnsaved(place: Place, { values, saved, server }: FormState, hadPassword: boolean): void {
  const stored: Stored = {
    version,
    state: { values: withoutPassword(values), saved: withoutPassword(saved), server },
    hadPassword: hadPassword || hasTypedPassword({ values, saved }),
    at: Date.now(),
  }
  keepItem(keyOf(place), JSON.stringify(stored))
}

export const forgetUnsaved = (place: Place): void => forgetItem(keyOf(place))

/** Returns whether there was something, and room for it. */
export function moveUnsaved(from: Place, to: Place): boolean {
  const unsaved = readUnsaved(from)
  if (!unsaved) return false
  keepUnsaved(to, unsaved.state, unsaved.hadPassword)
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
