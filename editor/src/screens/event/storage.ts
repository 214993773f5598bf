// Unsaved changes are kept by the browser, so that nothing is lost if it is closed.
import { interfaceLanguages } from '../../messages.ts'
import type { FormState } from './merge.ts'

interface Stored {
  readonly version: string
  readonly state: FormState
}

/** Values of another version of the form cannot be read. */
const version = `1 ${interfaceLanguages}`
const keyOf = (event: string) => `editor-event-${event}`

export function readUnsaved(event: string): FormState | undefined {
  const text = localStorage.getItem(keyOf(event))
  const stored = text === null ? undefined : (JSON.parse(text) as Stored)
  return stored?.version === version ? stored.state : undefined
}

export const keepUnsaved = (event: string, state: FormState): void =>
  localStorage.setItem(keyOf(event), JSON.stringify({ version, state } satisfies Stored))

export const forgetUnsaved = (event: string): void => localStorage.removeItem(keyOf(event))
