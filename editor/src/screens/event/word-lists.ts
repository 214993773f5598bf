// Word copies the items of a list as paragraphs, which begin with their sign or number as text.

interface OpenList {
  readonly level: number
  readonly element: HTMLElement
  /** Which list of the document it is, and whether its items are numbered. */
  readonly key: string
}

/** Turns paragraphs of Word that are items of lists into lists. */
export function convertWordLists(html: string): string {
  if (!html.includes('mso-list')) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  let open: OpenList[] = []
  for (const paragraph of body.querySelectorAll('p')) {
    const [, id, digit] = /mso-list:\s*(l\d+) level(\d)/.exec(styleOf(paragraph)) ?? []
    if (id === undefined) continue
    if (paragraph.previousElementSibling !== open[0]?.element) open = []
    const level = Number(digit)
    const tag = isNumber(takeSign(paragraph)) ? 'ol' : 'ul'
    const key = `${tag} ${id}`
    open = open.filter((list) => list.level < level || (list.level === level && list.key === key))
    if (open.at(-1)?.level !== level) {
      const element = document.createElement(tag)
      const parent = open.at(-1)?.element.lastElementChild
      if (parent) parent.append(element)
      else paragraph.before(element)
      open = [...open, { level, element, key }]
    }
    const item = document.createElement('li')
    item.append(...paragraph.childNodes)
    open.at(-1)?.element.append(item)
    paragraph.remove()
  }
  return body.innerHTML
}

const styleOf = (element: Element): string => element.getAttribute('style') ?? ''

const isNumber = (sign: string): boolean => /\d|\p{L}[.)]/u.test(sign)

/** Removes the sign, which is between two conditional comments, or in an element of its own. */
function takeSign(paragraph: Element): string {
  const nodes = [...paragraph.childNodes]
  const [from = -1, to = -1] = ['[if !supportLists]', '[endif]'].map((text) =>
    nodes.findIndex((node) => node instanceof Comment && node.data.trim() === text),
  )
  const own = [...paragraph.querySelectorAll('[style]')].filter((each) => /mso-list:\s*ignore/i.test(styleOf(each)))
  const parts = from !== -1 && to > from ? nodes.slice(from, to + 1) : own
  const sign = parts.map((part) => (part instanceof Comment ? '' : part.textContent)).join('')
  for (const part of parts) part.remove()
  return sign.trim()
}
