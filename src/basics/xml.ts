import { escapeUTF8 } from 'entities'

/** Escapes text for XML elements and attributes. Removes characters that XML 1.0 does not allow. */
export const escapeXml = (text: string): string =>
  escapeUTF8(text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))

/** Returns an XML element with text content. */
export const textElement = (name: string, text: string | number): string =>
  `<${name}>${escapeXml(String(text))}</${name}>`
