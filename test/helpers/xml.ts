import { parser } from 'sax'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly content: string
  /** Content of the first child with this name. */
  text(name: string): string | undefined
  all(name: string): readonly XmlElement[]
}

class Element implements XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[] = []
  content = ''

  constructor(name: string, attributes: Readonly<Record<string, string>>) {
    this.name = name
    this.attributes = attributes
  }

  text(name: string): string | undefined {
    return this.children.find((child) => child.name === name)?.content
  }

  all(name: string): readonly XmlElement[] {
    return this.children.filter((child) => child.name === name)
  }
}

/** The root element. Throws for a document that is not well-formed. */
export function parseXml(text: string): XmlElement {
  // The parser accepts characters that XML 1.0 does not allow.
  if (/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text)) throw new Error('Invalid character')
  const root = new Element('', {})
  const open = [root]
  const add = (content: string) => {
    const element = open.at(-1)
    if (element) element.content += content
  }
  const reader = parser(true)
  reader.onerror = (error) => {
    throw error
  }
  reader.onopentag = ({ name, attributes }) => {
    const element = new Element(name, attributes)
    open.at(-1)?.children.push(element)
    open.push(element)
  }
  reader.onclosetag = () => {
    open.pop()
  }
  reader.ontext = add
  reader.oncdata = add
  reader.write(text).close()
  const [element] = root.children
  if (!element) throw new Error('The document has no element.')
  return element
}
