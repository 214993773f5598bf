// Zod schemas for types of settings, which are texts of environment variables, and functions that read such texts.
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { isZone } from './time.ts'

/** Converts a text to a value. Returns undefined for invalid text. */
type Read<T> = (text: string) => T | undefined

/** Creates the Zod schema of a setting. `read` returns undefined for invalid text; `expected` describes valid text. */
export const create = <T>(expected: string | ((text: string) => string), read: Read<T>) =>
  z.string().transform((text, context) => {
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: typeof expected === 'string' ? expected : expected(text) })
    return z.NEVER
  })

/** Returns a reader that returns the text unchanged if `isValid` accepts it. */
export const readTextIf =
  (isValid: (text: string) => boolean): Read<string> =>
  (text) =>
    isValid(text) ? text : undefined

/** Creates the schema of a setting whose text matches a pattern. */
export const pattern = (pattern: RegExp, expected: string) => create(expected, readTextIf(pattern.test.bind(pattern)))

export const choice = <const T extends string>(values: readonly T[]) =>
  create(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text.toLowerCase()))

/** Creates the schema of a list of distinct items, separated by commas. */
export const list = <T>(expected: string, read: Read<T>) => create(expected, (text) => readList(text, read))

export const flag = () => create('on or off', readFlag)

export const integer = (min: number, max = 2 ** 31 - 1) =>
  create(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })

const bytesOfUnit: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

export const byteCount = (min: number) =>
  create(`a size of at least ${min} bytes, such as 1048576, 512KB or 1MB`, (text) => {
    const [, digits, unit = 'B'] = /^(\d{1,12}) ?(KB|MB|GB)?$/i.exec(text) ?? []
    const value = Number(digits) * (bytesOfUnit[unit.toUpperCase()] ?? Number.NaN)
    return value >= min && Number.isSafeInteger(value) ? value : undefined
  })

export const siteUrl = () =>
  create('an absolute http:// or https:// URL without query', (text) => readWebAddress(text)?.replace(/\/+$/, ''))

/** Creates the schema of a secret that is sent in an HTTP header. */
export const headerSecret = () => pattern(/^[\x21-\x7e]{1,1000}$/, 'a token of letters, digits and punctuation')

export function readFlag(text: string): boolean | undefined {
  if (/^(on|true|1|yes)$/i.test(text)) return true
  return /^(off|false|0|no)$/i.test(text) ? false : undefined
}

/** Reads a list of items, separated by commas. Returns undefined if an item is invalid or occurs twice. */
export function readList<T>(text: string, read: Read<T>): T[] | undefined {
  const items = text.split(',').map((item) => read(item.trim()))
  const values = items.filter((item) => item !== undefined)
  return values.length === items.length && new Set(values).size === values.length ? values : undefined
}

export const readZone = readTextIf(isZone)

/** Reads a BCP 47 language tag in lower case that Intl supports. */
export const readLanguage = readTextIf((text) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(text) && isLocale(text))

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}

/** Reads a path with a leading slash and without a trailing slash; empty for `/`. */
export function readPath(text: string): string | undefined {
  const path = text.replace(/^\/+|\/+$/g, '')
  if (path === '') return ''
  return /^[\w.~-]+(\/[\w.~-]+)*$/.test(path) ? `/${path}` : undefined
}

export function readWorkers(text: string): number | undefined {
  if (text.toLowerCase() === 'auto') return Math.min(64, availableParallelism())
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= 64 ? count : undefined
}

export const readHost: Read<string> = (text) => (/^[\w.:[\]-]+$/.test(text) ? text.toLowerCase() : undefined)

export const readWebAddress = readTextIf(
  (text) => /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) && URL.canParse(text),
)

/** Reads a color and returns it as `#rrggbb` in lower case. */
export function readColor(text: string): string | undefined {
  const [, digits = ''] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? []
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  return long === '' ? undefined : `#${long.toLowerCase()}`
}

/** Reads a URL or an e-mail address; the address becomes a `mailto:` URL. */
export function readContact(text: string): string | undefined {
  if (z.email().safeParse(text).success) return `mailto:${text}`
  return /^https?:\/\/[^\s@]+$/i.test(text) && URL.canParse(text) ? text : undefined
}

export const serverUrl = () => create(serverOr('postgresql://…'), readServerUrl)

export const databaseUrl = () =>
  create(serverOr('pglite:<folder>, pglite::memory: or postgresql://…'), (text) =>
    /^pglite:./.test(text) ? text : readServerUrl(text),
  )

export const readServerUrl = readTextIf(
  (text) => /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text) && !hasSeveralHosts(text),
)

/** Whether a PostgreSQL URL lists several hosts, which the driver pg would take for one host name. */
const hasSeveralHosts = (text: string) =>
  /^postgres(ql)?:\/\/([^/?#]*@)?[^/?#@]*,[^/?#@]*([/?#]|$)/.test(text) || /[?&]host=[^&]*(,|%2c)/i.test(text)

const serverOr = (expected: string) => (text: string) =>
  hasSeveralHosts(text)
    ? 'one host. For several servers, use an address that moves with the primary, such as that of HAProxy or PgBouncer'
    : expected

export function readPurgeTarget(text: string): string | undefined {
  if (/^(fastly|cloudflare):[\w-]{1,64}$/.test(text)) return text
  const url = /^varnish:(.+)$/.exec(text)?.[1] ?? ''
  const address = /^https?:\/\/[^\s/?#@]+\/?$/i.test(url) ? URL.parse(url) : null
  return address ? `varnish:${address.origin}` : undefined
}

/** Reads an origin as in the Origin header. Schemes other than http are valid, because mobile and desktop apps use their own. */
export function readOrigin(text: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+\/?$/i.test(text) ? URL.parse(text) : null
  return url ? `${url.protocol}//${url.host}` : undefined
}

/** Reads an http or https origin, for the directive frame-ancestors of a Content-Security-Policy. */
export const readWebOrigin: Read<string> = (text) => (/^https?:/i.test(text) ? readOrigin(text) : undefined)

export const readProxy = readTextIf((text) => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits = '1', ...more] = text.split('/')
  const maxBits = { 4: 32, 6: 128 }[isIP(address)] ?? 0
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits && more.length === 0
})
