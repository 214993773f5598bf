// Reads the titles and descriptions of a component, by language.

import querystring from 'node:querystring'
import { decodeHTML, decodeHTMLStrict } from 'entities'
import { escapeHtml, stripTags } from '../../basics/strip-tags.ts'
import { type Component, findProperties, type Property, parameterOf, textOf } from './parse-components.ts'
import { isMissingValueText } from './read-links.ts'

/** Title and description in one language. */
export interface EventText {
  readonly language: string
  readonly title?: string
  /** HTML; in the text between tags, blank lines separate paragraphs. */
  readonly description?: string
}

export interface TextOptions {
  readonly languages: readonly string[]
  /** The language of texts without the parameter LANGUAGE. */
  readonly language: string
  /** Whether this service wrote the file. Then plain text is not searched for HTML entities and double escapes. */
  readonly isOwn: boolean
}

/** Returns one text per language; the first is in the language of the first SUMMARY. */
export function readTexts(component: Component, options: TextOptions, note: (text: string) => void): EventText[] {
  const texts = new Map<string, EventText>()
  const add = (property: Property, field: 'title' | 'description', text: string) => {
    const language = languageOf(property, options, note)
    const before = texts.get(language) ?? { language }
    if (before[field] === undefined) texts.set(language, { ...before, [field]: text })
  }
  for (const property of findProperties(component, 'summary')) {
    const title = plain(textOf(property) ?? '', options)
    if (title !== '') add(property, 'title', title)
  }
  // HTML first: it has the text of the plain description with links and formatting.
  for (const property of findProperties(component, 'x-alt-desc', 'styled-description', 'description')) {
    const html = htmlOf(property)
    if (html !== undefined && hasContent(html)) add(property, 'description', asBlocks(html))
  }
  for (const property of findProperties(component, 'description')) {
    const text = textOf(property) ?? ''
    const hasNoChanges = isMissingValueText(text) || (htmlTag.test(text) && !hasContent(text))
    add(property, 'description', hasNoChanges ? '' : escapeHtml(plain(text, options)))
  }
  return [...texts.values()]
}

function languageOf(property: Property, { languages, language }: TextOptions, note: (text: string) => void): string {
  const tag = parameterOf(property, 'language')?.toLowerCase().replaceAll('_', '-')
  if (!tag) return language
  const parts = tag.split('-')
  const candidates = parts.map((_, index) => parts.slice(0, index + 1).join('-'))
  const known = candidates.findLast((candidate) => languages.includes(candidate))
  if (known !== undefined) return known
  note(`The site has no language ${tag.slice(0, 20)}: such texts were imported as ${language}.`)
  return language
}

/** Decodes HTML entities, and line breaks that are escaped twice: some programs write both in plain text. */
function plain(text: string, { isOwn }: TextOptions): string {
  if (isOwn) return text
  const lines = !text.includes('\n') && /\\n.*\\n/.test(text) ? text.replaceAll('\\n', '\n') : text
  return decodeHTMLStrict(lines)
}

function htmlOf(property: Property): string | undefined {
  const text = textOf(property) ?? ''
  if (property.name !== 'description') {
    const format = parameterOf(property, 'fmttype') ?? 'text/html'
    return /^text\/html/i.test(format) && text !== '' ? text : undefined
  }
  // Thunderbird writes HTML into the parameter ALTREP, and Google into DESCRIPTION without saying so.
  const [, data] = /^data:text\/html(?:;charset=utf-8)?,(.*)$/is.exec(parameterOf(property, 'altrep') ?? '') ?? []
  if (data !== undefined) return querystring.unescape(data)
  return htmlTag.test(text) ? text : undefined
}

/** Removes all before `</head`. stripTags removes this end tag. */
const withoutHead = (html: string) => html.slice(Math.max(html.toLowerCase().lastIndexOf('</head'), 0))

/** Whether the HTML has text or media: Outlook adds empty HTML to a plain description. */
function hasContent(html: string): boolean {
  if (/<(?:img|iframe|video|audio|object|embed)\b/i.test(html)) return true
  const text = decodeHTML(stripTags(withoutHead(html))).replace(/[\s\p{Cf}]+/gu, '')
  return text !== '' && !isMissingValueText(text)
}

const htmlTag = /<\/?(?:a|b|i|u|p|br|ul|ol|li|span|div|strong|em|h[1-6]|html-blob)(?:\s[^<>]*)?\/?>/i

/** Removes the line break after a `<br>` in HTML without block elements, where it would be shown as a second one. */
const asBlocks = (html: string) =>
  /<(?:p|div|ul|ol|table|blockquote|pre|h[1-6])\b/i.test(html) ? html : html.replace(/(<br\s*\/?>)\s*\n/gi, '$1')
