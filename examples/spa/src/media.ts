import { useSyncExternalStore } from 'react'

const wide = matchMedia('(min-width: 56rem)')

const subscribe = (listener: () => void): (() => void) => {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** Whether the screen has room for a month grid. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wide.matches)
