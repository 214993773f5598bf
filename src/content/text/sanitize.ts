// What people write, made safe to store: names as plain text, descriptions as HTML from an allow-list.
import { createRequire } from 'node:module'
import { decodeHTML, decodeHTMLStrict } from 'entities'
import type sanitizeHtml from 'sanitize-html'
import { stripTags } from '../../strip-tags.ts'
import { normalize } from './normalize.ts'

const require = createRequire(import.meta.url)
/** Loaded when something is first written: with its parser of styles it is large. */
const sanitize = (html: string, options: sanitizeHtml.IOptions): string =>
  (require('sanitize-html') as typeof sanitizeHtml)(html, options)

/** One line without tags, in composed characters. REST clients write what they read, which has entities. */
export function plainText(text: string, { decodeEntities }: { decodeEntities: boolean }): string {
  const stripped = stripTags(text)
  const line = (decodeEntities ? decodeHTMLStrict(stripped) : stripped)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return normalize(line, 'NFC')
}

/** Tags and attributes of the allow-list and all text; what it gave it leaves as it is. */
export function safeHtml(html: string): string {
  let before = html.toWellFormed()
  if (!/[<>&]/.test(before)) return before
  // Taking out tags can leave others that imply an end where none was, such as a paragraph in a paragraph.
  for (let pass = 0; pass < maxPasses; pass++) {
    const after = filtered(before)
    if (after === undefined) break
    if (after === before || !after.includes('<')) return after
    before = after
  }
  const text = decodeHTML(stripTags(before))
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const maxPasses = 5
/** The parser takes time that grows with the square of the depth. */
const maxDepth = 500
const maxTags = 50_000

const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre', 'code', 'a', 'img', 'figure', 'figcaption'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'div'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  nonTextTags: ['script', 'style', 'textarea', 'option', 'xmp', 'noscript', 'iframe', 'title'],
  transformTags: { a: (tagName, attribs) => ({ tagName, attribs: withoutOpener(attribs) }) },
}

/** Undefined if there are too many tags, or too many in each other. */
function filtered(html: string): string | undefined {
  let depth = 0
  let tags = 0
  const tooMuch = new Error('Too many tags')
  const onOpenTag = () => {
    depth++
    tags++
    if (depth > maxDepth || tags > maxTags) throw tooMuch
  }
  const onCloseTag = () => {
    depth--
  }
  try {
    return sanitize(html, { ...allowed, onOpenTag, onCloseTag })
  } catch (error) {
    if (error === tooMuch) return undefined
    throw error
  }
}

/** The page in a new window must not reach the one that opened it. */
function withoutOpener(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const { target = '_self', rel = '' } = attribs
  if (/^_(self|parent|top)$/i.test(target)) return attribs
  const words = rel.split(/\s+/).filter((word) => word !== '' && word.toLowerCase() !== 'opener')
  return { ...attribs, rel: [...new Set([...words, 'noopener'])].join(' ') }
}
