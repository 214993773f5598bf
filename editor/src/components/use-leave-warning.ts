import { useEffect, useRef } from 'react'

/** Asks before the Back button leaves the open form. */
let onPopState: ((event: PopStateEvent) => void) | undefined
// Browsers call the listeners of a window in the order in which they were added. The app imports this before the router listens.
window.addEventListener('popstate', (event) => onPopState?.(event))

/** Asks before a link, the Back button, or the browser leaves a form with unsaved changes. */
export function useLeaveWarning(isUnsaved: boolean, question: string): void {
  const address = useRef(location.href)
  useEffect(() => {
    address.current = location.href
  })
  useEffect(() => {
    if (!isUnsaved) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || link.target === '_blank' || link.hash !== '') return
      // With one of these keys, the link opens beside the form, or is downloaded.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      if (confirm(question)) {
        // The next page is not to ask again.
        window.removeEventListener('beforeunload', onUnload)
        return
      }
      event.preventDefault()
      event.stopPropagation()
    }
    onPopState = (event) => {
      const [from, to] = [address.current, location.href].map((url) => url.split('#')[0])
      if (from === to || confirm(question)) return
      // The router does not learn that the address was another one.
      event.stopImmediatePropagation()
      history.pushState(null, '', address.current)
    }
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      onPopState = undefined
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [isUnsaved, question])
}
