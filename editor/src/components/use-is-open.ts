import { type RefObject, useEffect, useRef } from 'react'

/** Whether the screen is still open, for what follows after a request: somebody may have gone to another one in the meantime. */
export function useIsOpen(): RefObject<boolean> {
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return isOpen
}
