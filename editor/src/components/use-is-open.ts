import { type RefObject, useEffect, useRef } from 'react'

/** Whether the component is still mounted, for navigation after a request: the person may have left the screen by then. */
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
