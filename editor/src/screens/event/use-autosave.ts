// When a draft saves itself, and when it is sent again after a failure.
import { useEffect, useEffectEvent, useRef } from 'react'
import { useHasEnded } from '../../session.tsx'
import type { Values } from './values.ts'

/** Milliseconds after the last change before a draft is saved. */
const savePause = 1500
/** After a failure of the network, most of which are short, and after further ones. */
const [firstRetryPause, retryPause] = [2000, 10_000]

export type SaveState = 'none' | 'saving' | 'saved' | 'failed'

interface Autosave {
  /** The service has what was sent. */
  succeeded(): void
  /** `refused`: what the service did not want, unless it was the network that failed. */
  failed(refused: Values | undefined): void
}

/** `isReady`: something is unsaved that needs no question and no button. */
export function useAutosave(values: Values, isReady: boolean, state: SaveState, save: () => void): Autosave {
  const hasEnded = useHasEnded()
  /** Since the last save. */
  const failures = useRef(0)
  /** What the service refused is sent again after the next change only. */
  const refused = useRef<Values>(undefined)

  const saveItself = useEffectEvent(save)
  useEffect(() => {
    if (!isReady || state === 'saving') return
    if (state === 'failed' && refused.current === values) return
    const pause = state !== 'failed' ? savePause : failures.current === 1 ? firstRetryPause : retryPause
    const timer = setTimeout(() => saveItself(), pause)
    return () => clearTimeout(timer)
  }, [values, isReady, state])

  /** What was refused while the person was not signed in. */
  const sendAgain = useEffectEvent(() => {
    if (isReady && state === 'failed') save()
  })
  useEffect(() => {
    if (!hasEnded) sendAgain()
  }, [hasEnded])

  return {
    succeeded() {
      failures.current = 0
    },
    failed(values) {
      failures.current += 1
      refused.current = values
    },
  }
}
