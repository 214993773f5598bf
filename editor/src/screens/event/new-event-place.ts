// Each tab keeps its new event in a place of its own, so that none overwrites another.
import { createKey } from '../../graphql/client.ts'
import { keepItem, readItem } from '../../local-storage.ts'
import { keyOf, moveUnsaved, type Place, readUnsaved, unsavedNewEvents } from './storage.ts'

export interface OpenPlace {
  readonly place: Place
  /** The form is closed. */
  readonly release: () => void
}

/** Opens the place of this tab. If nothing is there, it takes over what was left by a form that is not open any more. */
export async function openNewEvent(viewerId: string): Promise<OpenPlace> {
  const unsaved = unsavedNewEvents(viewerId)
  const key = keyOf({ viewerId, event: 'new' })
  const last = readItem(key, 'sessionStorage')
  // A duplicated tab starts with the place of the other one, which has its form open.
  const opened = (last !== undefined && (await open({ viewerId, event: last }))) || (await openFresh(viewerId))
  keepItem(key, opened.place.event, 'sessionStorage')
  if (readUnsaved(opened.place)) return opened
  for (const left of unsaved) {
    const found = await open(left)
    const isMoved = found && moveUnsaved(left, opened.place)
    found?.release()
    if (isMoved) break
  }
  return opened
}

async function openFresh(viewerId: string): Promise<OpenPlace> {
  const place = { viewerId, event: `new ${createKey()}` }
  return (await open(place)) ?? { place, release() {} }
}

/** Undefined if a form has the place open. Browsers without locks, which need TLS, cannot tell. */
const open = (place: Place): Promise<OpenPlace | undefined> =>
  new Promise((resolve) => {
    const opened = { place, release() {} }
    if (!navigator.locks) return resolve(opened)
    navigator.locks
      .request(keyOf(place), { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(undefined)
        return new Promise<void>((release) => resolve({ place, release }))
      })
      .catch(() => resolve(opened))
  })
