import { useEffect } from 'react'

const focusable = 'a[href], button, input, select, textarea, [tabindex]'

/** What took part of the screen away also took the focus: it goes to the nearest control that is left, or to the heading. */
export function useKeptFocus(): void {
  useEffect(() => {
    /** The focused element and what it is in. */
    let path: readonly EventTarget[] = []
    const onFocusIn = (event: FocusEvent) => {
      path = event.composedPath()
    }
    // Somebody who clicks beside all controls wants no focus.
    const onPointerDown = () => {
      path = []
    }
    const observer = new MutationObserver(() => {
      const [element, ...around] = path.filter((target) => target instanceof Element)
      if (!element || element.isConnected || document.activeElement !== document.body) return
      path = []
      const main = document.getElementById('main')
      const left = around.find((each) => each.isConnected && main?.contains(each) && each.querySelector(focusable))
      const target = (left ?? main)?.querySelector<HTMLElement>(focusable) ?? main
      target?.focus()
    })
    document.addEventListener('focusin', onFocusIn)
    document.addEventListener('pointerdown', onPointerDown)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocusIn)
      document.removeEventListener('pointerdown', onPointerDown)
      observer.disconnect()
    }
  }, [])
}
