import { createElement, type ReactNode } from 'react'
import { useMessages } from '../../messages.ts'

/** Those of the toolbar, which takes more than one line on a phone. */
const tools = ['bold', 'italic', 'heading', 'subheading', 'bullets', 'numbers', 'quote', 'link', 'undo', 'redo']

interface Props {
  readonly label: string
  readonly lang: string
  /** HTML. */
  readonly value: string
}

/** Takes the place of an editor until it is there, as high as it. So nothing below moves while somebody presses it. */
export function RichTextSpace({ label, lang, value }: Props) {
  const { loading } = useMessages()
  const { body } = new DOMParser().parseFromString(value, 'text/html')
  return (
    <div className="field" aria-busy="true">
      <span className="label">{label}</span>
      <span role="status" className="visually-hidden">
        {loading}
      </span>
      <div className="format-bar" aria-hidden="true">
        {tools.map((name) => (
          <span key={name} className="tool" />
        ))}
      </div>
      {createElement('div', { className: 'rich-text', lang }, ...contentOf(body))}
    </div>
  )
}

const blocks = 'p,h2,h3,blockquote,pre,ul,ol,li'

/** The paragraphs and lists of an element, without the format of their texts. */
const contentOf = (element: Element): ReactNode[] =>
  element.querySelector(blocks)
    ? [...element.children]
        .filter((child) => child.matches(blocks))
        .map((child) => createElement(child.localName, null, ...contentOf(child)))
    : [element.textContent]
