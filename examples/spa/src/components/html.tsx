import { useLayoutEffect, useRef } from 'react'

/** HTML of the service, which sanitizes it. A parsed document runs no scripts; pictures of other hosts are left out. */
export function Html({ html, lang }: { readonly html: string; readonly lang: string | undefined }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    for (const node of body.querySelectorAll('img, iframe, video, audio, object, embed')) {
      const source = node.getAttribute('src')
      if (source === null || new URL(source, location.href).origin !== location.origin) node.remove()
    }
    element.current?.replaceChildren(...body.childNodes)
  }, [html])
  return <div className="prose" ref={element} lang={lang} />
}
