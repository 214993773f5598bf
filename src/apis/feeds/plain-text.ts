// Plain text of descriptions: paragraphs, lists and links stay readable.
import { decodeHTML } from 'entities'
import { stripTags } from '../../basics/strip-tags.ts'

const paragraphTags = 'address|article|aside|blockquote|dl|figure|h[1-6]|header|footer|hr|ol|p|pre|section|table|ul'
const lineTags = 'dd|div|dt|figcaption|tr'

/** Patterns for tags stop at the next `<` or `>`, so that matching takes linear time. */
const paragraphTag = new RegExp(`</?(?:${paragraphTags})\\b[^<>]*>`, 'gi')
const lineTag = new RegExp(`</?(?:${lineTags})\\b[^<>]*>|<br\\b[^<>]*>`, 'gi')
const itemTag = /<li\b[^<>]*>/gi
const cellTag = /<\/t[dh]\s*>/gi
const linkOrEnd = /<a\b[^<>]*?\shref="([^"<>]*)"[^<>]*>|<\/a\s*>/gi

/** Converts HTML: blank lines between paragraphs, a hyphen before list items, the URL of a link after its text. */
export function htmlToText(html: string): string {
  const marked = withAddresses(html.replace(/\s+/g, ' '))
    .replace(paragraphTag, '\n\n')
    .replace(itemTag, '\n- ')
    .replace(lineTag, '\n')
    .replace(cellTag, '\t')
  return decodeHTML(stripTags(marked))
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The rest of a word after a link that ends within the word. */
const restOfWord = /(?:[\p{L}\p{M}\p{N}\u00ad]|<\/?(?:b|em|i|s|span|strong|sub|sup|u)>)*/uy

/** Inserts the URL of each link after its text; if the link ends within a word, after that word. */
function withAddresses(html: string): string {
  let result = ''
  let end = 0
  let open: { readonly href: string; readonly from: number } | undefined
  for (const match of html.matchAll(linkOrEnd)) {
    result += html.slice(end, match.index)
    end = match.index + match[0].length
    const [, href] = match
    if (href !== undefined) open = { href, from: result.length }
    else if (open) {
      const address = addressAfter(open.href, result.slice(open.from))
      restOfWord.lastIndex = end
      const [rest = ''] = restOfWord.exec(html) ?? []
      result += rest + address
      end += rest.length
      open = undefined
    }
  }
  return result + html.slice(end)
}

function addressAfter(href: string, html: string): string {
  const text = decodeHTML(stripTags(html)).trim()
  const address = decodeHTML(href).replace(/^(mailto|tel):/, '')
  const isShown = text === address || `https://${text}` === address || `http://${text}` === address || address === ''
  if (isShown || address.startsWith('#')) return ''
  return text === '' ? href : ` (${href})`
}
