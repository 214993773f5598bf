// Recognizes e-mail addresses, and creates `mailto:` and `tel:` URLs.

export const isEmail = (text: string): boolean =>
  /^(?=.{3,254}$)[^\s@\p{Cc}<>()[\];:\\]+@(?!\.)[^\s@\p{Cc}<>()[\];:\\]+(?<!\.)$/u.test(text)

/** Returns a `mailto:` URL (RFC 6068); empty if the text is not an e-mail address. */
export const mailtoUrl = (email: string): string =>
  isEmail(email) ? `mailto:${encodeURIComponent(email).replace(/%40|%2B/g, decodeURIComponent)}` : ''

/** Maximum number of characters of a telephone number. */
const maxLength = 60

const label = /^(?:t[eé]l|phone|mob|fon)\p{L}*\.? ?:? */iu
const extension = /[ ,;]*(?:ext(?:ension)?|poste|int|durchwahl|dw|x|#)\.?:? *(\d{1,8})$/i
const separators = /[\s().·‐‑–/-]/g

/** Returns a `tel:` URL (RFC 3966); empty unless the text is one telephone number, such as `+33 (0)1 23 45 67 89 ext. 5`. */
export function telephoneUrl(text: string): string {
  if (text.length > maxLength) return ''
  const number = text.trim().replace(label, '')
  const [suffix = '', digits] = extension.exec(number) ?? []
  const main = number.slice(0, number.length - suffix.length)
  // Blanks around a slash separate two numbers.
  if (/\s\/|\/\s/.test(main)) return ''
  const dialled = main.replace(/^(\+[^(]*)\(0\)/, '$1').replace(separators, '')
  if (!/^(?:\+[1-9]\d{2,14}|\d{3,15})$/.test(dialled)) return ''
  return `tel:${dialled}${digits === undefined ? '' : `;ext=${digits}`}`
}
