// Sanitizes input before it is stored: names become plain text, descriptions become HTML with an allow-list of tags.

import { createRequire } from 'node:module'
import { decodeHTML, decodeHTMLStrict } from 'entities'
import type sanitizeHtml from 'sanitize-html'
import { escapeHtml, stripTags } from '../../basics/strip-tags.ts'
import { normalizeUnicode } from './normalize.ts'

const require = createRequire(import.meta.url)
/** Sanitizes HTML. Loads the library with the first write, because it is large. */
const sanitize = (html: string, options: sanitizeHtml.IOptions): string =>
  (require('sanitize-html') as typeof sanitizeHtml)(html, options)

/** Converts to one line of plain text without tags, in NFC. REST clients send entities, because responses contain them. */
export function toPlainText(text: string, { decodeEntities }: { decodeEntities: boolean }): string {
  const stripped = stripTags(text)
  const line = (decodeEntities ? decodeHTMLStrict(stripped) : stripped)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return normalizeUnicode(line, 'NFC')
}

/** Removes tags and attributes that are not on the allow-list, and keeps their text. Idempotent. */
export function toSafeHtml(html: string): string {
  let before = html.toWellFormed()
  if (!/[<>&]/.test(before)) return before
  // Removing tags can change how the rest is parsed, such as a paragraph in a paragraph: repeat until nothing changes.
  for (let pass = 0; pass < maxPasses; pass++) {
    const after = filterTags(before)
    if (after === undefined) break
    if (after === before || !after.includes('<')) return after
    before = after
  }
  return escapeHtml(decodeHTML(stripTags(before)))
}

/** Returns the names of tags that are not on the allow-list. */
export function findForbiddenTags(html: string): string[] {
  const names = Array.from(html.matchAll(/<([a-z][a-z0-9]*)/gi), ([, name = '']) => name.toLowerCase())
  return [...new Set(names)].filter((name) => !allowedTags.includes(name))
}

const maxPasses = 5
/** Maximum depth of nested tags: the time of the parser grows with the square of the depth. */
const maxDepth = 500
const maxTags = 50_000

const allowedTags = [
  ...['p', 'br', 'hr', 'strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'blockquote', 'pre', 'code', 'a', 'img', 'figure', 'figcaption'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'div'],
]

/** Block elements that become `div`: without a tag, the words before and after the boundary would be joined. */
const otherBlocks = 'address article aside center details footer header main nav section summary'.split(' ')

const allowedHtml: sanitizeHtml.IOptions = {
  allowedTags,
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
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: withoutOpener(attribs) }),
    ...Object.fromEntries(otherBlocks.map((name) => [name, 'div'])),
  },
}

/** Returns the filtered HTML; undefined for too many tags or too deep nesting. */
function filterTags(html: string): string | undefined {
  let depth = 0
  let tags = 0
  const tooManyTags = new Error('Too many tags')
  const onOpenTag = () => {
    depth++
    tags++
    if (depth > maxDepth || tags > maxTags) throw tooManyTags
  }
  const onCloseTag = () => {
    depth--
  }
  try {
    return sanitize(html, { ...allowedHtml, onOpenTag, onCloseTag })
  } catch (error) {
    if (error === tooManyTags) return undefined
    throw error
  }
}

function withoutOpener(attribs: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const { target = '_self', rel = '' } = attribs
  if (/^_(self|parent|top)$/i.test(target)) return attribs
  const words = rel.split(/\s+/).filter((word) => word !== '' && word.toLowerCase() !== 'opener')
  return { ...attribs, rel: [...new Set([...words, 'noopener'])].join(' ') }
}
