import { useEffect, useEffectEvent, useState } from 'react'

export type UploadState = 'none' | 'busy' | 'done' | 'failed'

/** Lets a form wait for a picture that is on its way: `proceed` runs once it is there, and not if it fails. */
export function useUpload<Argument>(proceed: (argument: Argument) => void) {
  const [state, setState] = useState<UploadState>('none')
  const [waiting, setWaiting] = useState<{ readonly argument: Argument }>()
  const go = useEffectEvent(proceed)
  useEffect(() => {
    if (state === 'busy' || !waiting) return
    setWaiting(undefined)
    if (state === 'done') go(waiting.argument)
  }, [state, waiting])
  return {
    isUploading: state === 'busy',
    onUpload: setState,
    proceedLater: (argument: Argument) => setWaiting({ argument }),
  }
}
