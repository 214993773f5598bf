import { useLayoutEffect, useRef } from 'react'
import { isOwnUrl } from '../own-url.ts'

/** HTML of the service, which sanitizes it. Pictures of other hosts are removed before the browser loads them. */
export function Html({ html, lang }: { readonly html: string; readonly lang: string | undefined }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    for (const node of body.querySelectorAll('img, iframe, video, audio, object, embed')) {
      const source = node.getAttribute('src')
      if (source === null || !isOwnUrl(source)) node.remove()
    }
    element.current?.replaceChildren(...body.childNodes)
  }, [html])
  return <div className="prose" ref={element} lang={lang} />
}
