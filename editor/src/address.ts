const host = /^[^\s/:@]+\.\w{2,}([/?#]\S*)?$/

/** The address of a link, with `https://` or `mailto:` if they were not typed. Undefined if it is none. */
export function toAddress(text: string): string | undefined {
  if (/^(https?|mailto|tel):\S+$/i.test(text)) return text
  if (/^[^\s@/]+@[^\s@/]+\.\w+$/.test(text)) return `mailto:${text}`
  return host.test(text) ? `https://${text}` : undefined
}

/** A website, with `https://` if it was not typed. */
export const toWebsite = (text: string): string => text.trim().replace(host, 'https://$&')
