// Converts texts of the sources (HTML, Markdown or a mixture) to simple HTML or plain text.
import { pairs, web } from './raw.ts'

// E-mail addresses and mobile numbers.
export const contact = /[\w.+-]+@[\w-]+\.[\w.-]*\w|(?:\+33 ?|\b0)[67](?:[ .-]?\d{2}){4}\b|\b6\d{2}(?:[ .]?\d{3}){2}\b/g

const entities = pairs('amp:& lt:< gt:> quot:" apos:\' nbsp:\u00a0 hellip:… rsquo:’ laquo:« raquo:» euro:€')

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|([a-z]+));/gi, (all, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (entities.get(name.toLowerCase()) ?? all),
  )

const markTags = (text: string): string =>
  text
    .replace(/<(script|style|iframe)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/(p|div|h\d|ul)>/gi, '\n\n')
    .replace(/<li[^>]*>/gi, '\n* ')
    .replace(/<\/?(?:b|strong)>/gi, '**')
    .replace(/<\/?[a-z][^>]*>/gi, '')

const tidy = (text: string): string =>
  decode(decode(markTags(text)))
    .replace(/\r\n?/g, '\n')
    .replace(/\uf0b7/g, '•')
    .replace(/(?![\t\n])\p{Cc}|[\xad\u200b-\u200f\ufeff\ue000-\uf8ff\ufffd]/gu, '')
    .replace(contact, '')
    .replace(/[\t\u00a0\u2000-\u200a\u202f ]+/g, ' ')
    .replace(/:" /g, ': "')
    .replace(/ (?=[,)])|[ ¡¿]+$/gm, '')
    .trim()

export const plain = (text: string): string =>
  tidy(text)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/(?<![\p{L}\d\\])_(.+?)_(?![\p{L}\d])/gu, '$1')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/\s+/g, ' ')

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

// Replaces Markdown escapes ("\*") by private-use characters while the other marks are parsed.
const hide = (text: string): string =>
  text.replace(/\\([!-/:-@[-`{-~])/g, (_all, sign: string) => String.fromCharCode(0xe000 + sign.charCodeAt(0)))

const reveal = (text: string): string =>
  text.replace(/[\ue000-\ue07f]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000))

const inline = (raw: string): string => {
  const links: string[] = []
  const marked = raw.replace(/!?\[([^\]]*)\]\(\s*([^)\s]+)[^)]*\)/g, (_all, label: string, target: string) => {
    const href = web([reveal(target)])
    return href && label.trim() ? `${String.fromCharCode(0xe200 + links.push(href))}${label}\ue1ff` : label
  })
  return escapeHtml(marked)
    .replace(/_\*\*([^_*]+)\*\*_/g, '**_$1_**')
    .replace(/(?<![\p{L}\d])_(\s*)([^_*\ue1ff-\uf8ff]+?)(\s*)_(?![\p{L}\d])/gu, '$1<em>$2</em>$3')
    .replace(/(?<![\p{L}\d])_|_(?![\p{L}\d])|(?<=\s)\ue05f|\ue05f(?=[\s….,])/gu, '')
    .replace(/\*\*(\s*)(.+?)(\s*)\*\*/g, '$1<strong>$2</strong>$3')
    .replace(/\*\*|`|[\ue02a\ue05f]{2,}/g, '')
    .replace(/<(strong|em)>\s*<\/\1>/g, '')
    .replace(/\ue1ff/g, '</a>')
    .replace(
      /[\ue201-\uf8ff]/g,
      (sign) => `<a href="${escapeHtml(links[sign.charCodeAt(0) - 0xe201] ?? '').replace(/"/g, '%22')}">`,
    )
    .replace(/[\ue000-\ue07f]/g, (sign) => escapeHtml(reveal(sign)))
    .replace(/ {2,}/g, ' ')
    .trim()
}

const itemMark = '^(?:[-*+•●▪◦►➤➡‣·–✓\ue02a\ue02b\ue02d]|\ue02d\ue02d|[=\ue03d]?[>\ue03e]{1,2}) +'
const sentences = /(.{450,}?[\p{Ll}\d)»”][.!?…]) (?=[\p{Lu}«¿¡“])/gu
const block = (lines: string[]): string[] => {
  const [, marks, title = ''] = /^(#{1,6}) +(.+?) *#*$/.exec(lines[0] ?? '') ?? []
  const items = lines.map((line) => line.replace(new RegExp(itemMark), ''))
  if (marks) return [`<h3>${inline(title).replace(/<.?strong>/g, '')}</h3>`.replace(/h3/g, marks[3] ? 'h4' : 'h3')]
  if (items.length > 1 && items.every((item, index) => item !== lines[index])) {
    return [`<ul>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`]
  }
  if (lines.length === 0) return []
  if (lines.every((line) => line.length <= 160)) return [`<p>${lines.map(inline).join('<br>')}</p>`]
  return lines.flatMap((line) => line.replace(sentences, '$1\n').split('\n')).map((line) => `<p>${inline(line)}</p>`)
}

export const toHtml = (text: string): string => {
  const spaced = hide(tidy(text))
    .replace(/^ +| +$/gm, '')
    .replace(/(?<=^|\n\n)([^\n]+)\n(?:-{3,}|={3,})$/gm, '### $1')
    .replace(new RegExp(`(?:${itemMark}.+(?:\n+|$(?!.))){2,}`, 'gm'), (run) => `\n\n${run.replace(/\n+/g, '\n')}\n\n`)
    .replace(/^#{1,6} .*$/gm, '\n\n$&\n\n')
  const lines = (part: string): string[] => part.split('\n').filter((line) => /[\p{L}\p{N}]/u.test(reveal(line)))
  let size = 0
  return spaced
    .split(/\n{2,}/)
    .flatMap((part) => block(lines(part)))
    .filter((html) => {
      size += html.length
      return size <= 2500
    })
    .join('')
    .replace(/(<h(\d)>((?!<h).)*<\/h\2>)+$/, '')
}
