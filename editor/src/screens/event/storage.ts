// Unsaved changes are kept by the browser, so that nothing is lost if it is closed.
import { forgetItem, keepItem, readItem } from '../../local-storage.ts'
import { basePath, contentLanguages } from '../../site.ts'
import type { FormState } from './merge.ts'

interface Stored {
  readonly version: string
  readonly state: FormState
}

/** Whose changes of which event. Several people may use the computer, and one host may have several sites. */
export interface Place {
  readonly viewerId: string
  /** Number of the event; `new` if it has none. */
  readonly event: string
}

/** Values of another version of the form, or of a site with other languages, cannot be read. */
const version = `3 ${contentLanguages}`
const keyOf = ({ viewerId, event }: Place) => `editor-event ${basePath} ${viewerId} ${event}`

export function readUnsaved(place: Place): FormState | undefined {
  const text = readItem(keyOf(place))
  if (text === undefined) return undefined
  try {
    const stored: Stored | null = JSON.parse(text)
    return stored?.version === version ? stored.state : undefined
  } catch {
    return undefined
  }
}

export const keepUnsaved = (place: Place, state: FormState): void =>
  keepItem(keyOf(place), JSON.stringify({ version, state } satisfies Stored))

export const forgetUnsaved = (place: Place): void => forgetItem(keyOf(place))
