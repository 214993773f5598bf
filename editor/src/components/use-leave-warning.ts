import { useEffect } from 'react'

/** Asks before a link, or the browser, leaves a form with unsaved changes. */
export function useLeaveWarning(isUnsaved: boolean, question: string): void {
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
    window.addEventListener('beforeunload', onUnload)
    document.addEventListener('click', onClick, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', onUnload)
      document.removeEventListener('click', onClick, { capture: true })
    }
  }, [isUnsaved, question])
}
