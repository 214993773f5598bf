import { lazy, Suspense } from 'react'
import type { RichTextProps } from './rich-text.tsx'
import { RichTextSpace } from './rich-text-space.tsx'
import './event.css'

const RichText = lazy(() => import('./rich-text.tsx').then(({ RichText }) => ({ default: RichText })))

/** Formatted text, whose editor is loaded when it is shown. */
export function RichTextField(props: RichTextProps) {
  return (
    <Suspense fallback={<RichTextSpace {...props} />}>
      <RichText {...props} />
    </Suspense>
  )
}
