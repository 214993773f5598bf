import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { isZone } from './time.ts'

const fields = z.object({
  host: matching(/^[\w.:%-]+$/, 'a host name or an address to listen on').default('127.0.0.1'),
  port: integer(1, 65_535).default(4000),
  publicUrl: siteUrl().optional(),
  pagesUrl: siteUrl().optional(),
  databaseUrl: setting('pglite:<folder>, pglite::memory: or postgresql://…', readDatabaseUrl).default('pglite:./data'),
  databaseDirectUrl: serverUrl().optional(),
  databaseReplicaUrl: setting('different postgresql://… URLs, separated by commas', (value) =>
    readList(value, (url) => (isServerUrl(url) ? url : undefined)),
  ).optional(),
  replicaMaxLag: integer(1).default(1000),
  preparedStatements: flag().default(true),
  siteName: z.string().default('Event calendar'),
  siteLogo: z.string().optional(),
  siteAccentColor: setting('a colour as #rgb or #rrggbb, such as #0a5c8f', readColor).default('#9c2b2b'),
  siteFooter: setting('text or HTML of at most 10000 characters', (text) =>
    text.length <= 10_000 ? text : undefined,
  ).optional(),
  siteContact: setting('an e-mail address, or an http:// or https:// URL', readContact).optional(),
  siteTimeZone: setting('a time zone, such as Europe/Paris or UTC+2', readZone).default('UTC'),
  endOfDayCutoff: matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time as HH:MM, from 00:00 to 23:59').default('00:00'),
  showInSiteTimeZone: flag().default(false),
  languages: setting('different language codes, separated by commas, such as en,pt-br', (value) =>
    readList(value, readLanguage),
  ).default(['en', 'fr', 'es']),
  defaultLanguage: setting('one of LANGUAGES, such as en', readLanguage).optional(),
  languageFallback: flag().default(true),
  readEngine: choice(['on', 'verify', 'prisma']).default('on'),
  execution: choice(['compiled', 'verify', 'graphql-js']).default('compiled'),
  restEnabled: flag().default(true),
  restPrefix: setting('a path, such as /api', readPath).default(''),
  restNamespace: setting('a path, such as cal/events/v1', (value) => readPath(value)?.slice(1) || undefined).default(
    'cal/events/v1',
  ),
  restHeaderPrefix: matching(/^[\w!#$%&'*+.^`|~-]+$/, 'the start of a header name, such as X-Cal').default('X-Cal'),
  restCategoryTaxonomy: matching(/^[\w-]{1,100}$/, 'a name, such as cal_events_cat').default('cal_events_cat'),
  legacyAddresses: flag().optional(),
  perPageDefault: integer(1).optional(),
  perPageMax: integer(1).default(50),
  defaultCurrencySymbol: z.string().default('$'),
  defaultCurrencyPosition: choice(['prefix', 'postfix']).default('prefix'),
  imagesDir: z.string().default('./data/images'),
  imageBytes: bytes(1).default(10 * 1024 ** 2),
  imagePrivateHosts: setting('host names or addresses, separated by commas', (value) =>
    readList(value.toLowerCase(), readHost),
  ).default([]),
  searchEngines: flag().default(true),
  graphiql: flag().default(true),
  introspection: flag().default(true),
  compression: flag().default(false),
  trustedOperations: z.string().optional(),
  bodyLimit: bytes(1).default(1024 ** 2),
  queryCostMax: integer(1).default(5000),
  rateLimit: integer(0).default(600),
  rateLimitStore: choice(['memory', 'database']).optional(),
  requestTimeout: integer(1).default(10_000),
  unsentBytes: bytes(1).default(128 * 1024 ** 2),
  subscriptionsMax: integer(0).default(5000),
  subscriptionsPerClient: integer(1).default(1000),
  subscriptionHeartbeat: integer(100).default(12_000),
  feedEventsMax: integer(1, 1_000_000).default(10_000),
  feedPastDays: integer(0, 36_500).default(30),
  feedCancelledDays: integer(0, 36_500).default(30),
  databasePool: integer(1).default(10),
  workers: setting('a whole number from 1 to 64, or auto for one process per CPU', readWorkers).default(1),
  durability: choice(['full', 'relaxed']).default('full'),
  startupTimeout: integer(0).default(60_000),
  cacheBytes: bytes(0).default(64 * 1024 ** 2),
  cdnMaxAge: integer(0, 31_536_000).default(0),
  cdnStaleWhileRevalidate: integer(0, 31_536_000).default(0),
  cdnPurge: setting(
    'varnish:<URL>, fastly:<service ID> or cloudflare:<zone ID>, or several of them, separated by commas',
    (value) => readList(value, readPurgeTarget),
  ).default([]),
  cdnFastlyToken: headerSecret().optional(),
  cdnFastlyUrl: siteUrl().default('https://api.fastly.com'),
  cdnCloudflareToken: headerSecret().optional(),
  cdnCloudflareUrl: siteUrl().default('https://api.cloudflare.com/client/v4'),
  adminLogin: matching(/^[^:\p{Cc}]+$/u, 'a login name without colon').optional(),
  adminPassword: z.string().optional(),
  // Not normalized: it must equal the issuer in tokens, including a trailing slash.
  oidcIssuer: setting('an http:// or https:// URL', readWebAddress).optional(),
  oidcAudience: z.string().optional(),
  oidcRoleClaim: z.string().optional(),
  corsOrigins: setting('* or origins, separated by commas, such as https://app.example.org', (value) =>
    value === '*' ? value : readList(value, readOrigin),
  ).default('*'),
  embedOrigins: setting('*, none, or origins, separated by commas, such as https://www.example.org', (value) =>
    value === '*' || value === 'none' ? value : readList(value, readWebOrigin),
  ).default('*'),
  // `1` is ambiguous: it could mean one proxy, while trusting all of them would let clients forge their address.
  trustProxy: setting('on, off, or addresses of proxies, separated by commas, such as loopback,10.0.0.0/8', (value) =>
    value === '1' ? undefined : (readFlag(value) ?? readList(value, readProxy)),
  ).default(false),
  logLevel: choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  seed: flag().optional(),
})

/** Settings whose values are never shown. */
export const secretKeys: ReadonlySet<string> = new Set<keyof Fields>([
  ...([
    'databaseUrl',
    'databaseDirectUrl',
    'databaseReplicaUrl',
    'adminPassword',
    'cdnFastlyToken',
    'cdnCloudflareToken',
  ] as const),
])

/** Every setting: its key, and the name of its environment variable. */
export const settingKeys = Object.keys(fields.shape).map((key) => ({ key, name: envName(key) }))

type Fields = z.output<typeof fields>
export type Settings = Readonly<ReturnType<typeof withDerived>>

/** The settings of this process. Throws like readSettings. */
export const settings = (): Settings => readSettings(process.env)

/**
 * Throws one error whose message has a line for each invalid setting, without the values of secrets. Blank values count
 * as absent.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const present = Object.fromEntries(
    Object.keys(fields.shape)
      .map((key) => [key, key === 'adminPassword' ? env[envName(key)] : env[envName(key)]?.trim()] as const)
      .filter(([, value]) => value?.trim()),
  )
  const errors = new Map<string, string>()
  for (const { path, message } of fields.safeParse(present).error?.issues ?? []) errors.set(String(path[0]), message)
  // Rules for several settings are checked on the valid ones, so that one error reports all problems.
  const values = fields.parse(Object.fromEntries(Object.entries(present).filter(([key]) => !errors.has(key))))
  for (const [key, other, expected] of findConflicts(values)) {
    if (!errors.has(key) && !errors.has(other)) errors.set(key, expected)
  }
  if (errors.size === 0) return Object.freeze(withDerived(values))
  throw new Error(
    [...errors]
      .map(([key, expected]) => `${envName(key)} ${describeValue(key, present[key])}; expected ${expected}`)
      .join('\n'),
  )
}

function withDerived(values: Fields) {
  const publicUrl = values.publicUrl ?? `http://localhost:${values.port}`
  const [firstLanguage = 'en'] = values.languages
  return {
    ...values,
    publicUrl,
    pagesUrl: values.pagesUrl ?? publicUrl,
    defaultLanguage: values.defaultLanguage ?? (values.languages.includes('en') ? 'en' : firstLanguage),
    legacyAddresses: hasLegacyAddresses(values),
    perPageDefault: values.perPageDefault ?? Math.min(10, values.perPageMax),
    rateLimitStore: values.rateLimitStore ?? (values.workers > 1 ? 'database' : 'memory'),
    seed: values.seed ?? values.databaseUrl.startsWith('pglite:'),
  }
}

const hasLegacyAddresses = ({ legacyAddresses, restPrefix }: Fields): boolean =>
  legacyAddresses ?? restPrefix === '/wp-json'

/** Invalid combinations of settings: the setting to change, the other setting, and the expected value. */
function findConflicts(values: Fields): [key: keyof Fields, other: keyof Fields, expected: string][] {
  const { languages, defaultLanguage, perPageDefault, perPageMax, adminLogin, adminPassword } = values
  const conflicts: ReturnType<typeof findConflicts> = []
  if (defaultLanguage && !languages.includes(defaultLanguage)) {
    conflicts.push(['defaultLanguage', 'languages', `one of LANGUAGES: ${languages.join(', ')}`])
  }
  if (perPageDefault && perPageDefault > perPageMax) {
    conflicts.push(['perPageDefault', 'perPageMax', `at most PER_PAGE_MAX, which is ${perPageMax}`])
  }
  if (values.legacyAddresses && values.restPrefix === '') {
    conflicts.push(['legacyAddresses', 'restPrefix', 'off, because REST_PREFIX is empty; or set REST_PREFIX=/wp-json'])
  }
  if (hasLegacyAddresses(values) && values.restNamespace === 'wp/v2') {
    conflicts.push([
      'restNamespace',
      'legacyAddresses',
      'another path than that of the platform, such as cal/events/v1',
    ])
  }
  if (values.cdnMaxAge > 0 && values.cacheBytes === 0) {
    conflicts.push([
      'cacheBytes',
      'cdnMaxAge',
      'a size above 0, because CDN_MAX_AGE is set: the response cache finds out what a response depends on',
    ])
  }
  for (const key of ['databaseDirectUrl', 'databaseReplicaUrl'] as const) {
    if (values[key] === undefined || !values.databaseUrl.startsWith('pglite:')) continue
    conflicts.push([key, 'databaseUrl', 'nothing, because DATABASE_URL is an embedded database'])
  }
  const providers = values.cdnPurge.map((target) => target.split(':', 1)[0])
  if (providers.includes('fastly') && !values.cdnFastlyToken) {
    conflicts.push(['cdnFastlyToken', 'cdnPurge', 'an API token, because CDN_PURGE names a service of Fastly'])
  }
  if (providers.includes('cloudflare') && !values.cdnCloudflareToken) {
    conflicts.push(['cdnCloudflareToken', 'cdnPurge', 'an API token, because CDN_PURGE names a zone of Cloudflare'])
  }
  if (adminLogin && !adminPassword)
    conflicts.push(['adminPassword', 'adminLogin', 'a password, because ADMIN_LOGIN is set'])
  if (adminPassword && !adminLogin)
    conflicts.push(['adminLogin', 'adminPassword', 'a login, because ADMIN_PASSWORD is set'])
  if (values.workers > 1 && values.databaseUrl.startsWith('pglite:')) {
    conflicts.push([
      'workers',
      'databaseUrl',
      '1, because DATABASE_URL is the embedded database, which serves one process',
    ])
  }
  if (values.oidcIssuer && !values.oidcAudience) {
    conflicts.push(['oidcAudience', 'oidcIssuer', 'the audience of the tokens that OIDC_ISSUER issues'])
  }
  return conflicts
}

function envName(key: string): string {
  const words = key.replace('TimeZone', 'Timezone').replace(/[A-Z]/g, (letter) => `_${letter}`)
  return words.toUpperCase()
}

function describeValue(key: string, value: string | undefined): string {
  if (value === undefined) return 'is missing'
  if (secretKeys.has(key)) return 'is invalid (its value is not shown)'
  return `is ${JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)}`
}

/** `read` returns undefined for text that is not as `expected` describes. */
function setting<T>(expected: string, read: (text: string) => T | undefined) {
  return z.string().transform((text, context) => {
    const value = read(text)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: expected })
    return z.NEVER
  })
}

function matching(pattern: RegExp, expected: string) {
  return setting(expected, (text) => (pattern.test(text) ? text : undefined))
}

function choice<const T extends string>(values: readonly T[]) {
  return setting(`one of ${values.join(', ')}`, (text) => values.find((value) => value === text.toLowerCase()))
}

function flag() {
  return setting('on or off', readFlag)
}

function integer(min: number, max = 2 ** 31 - 1) {
  return setting(`a whole number from ${min} to ${max}`, (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  })
}

function bytes(min: number) {
  return setting(`a size of at least ${min} bytes, such as 1048576, 512KB or 1MB`, (text) => {
    const [, digits, unit = 'B'] = /^(\d{1,12}) ?(KB|MB|GB)?$/i.exec(text) ?? []
    const value = Number(digits) * 1024 ** 'BKMG'.indexOf(unit.charAt(0).toUpperCase())
    return value >= min && Number.isSafeInteger(value) ? value : undefined
  })
}

function siteUrl() {
  return setting('an absolute http:// or https:// URL without query', (text) =>
    readWebAddress(text)?.replace(/\/+$/, ''),
  )
}

/** A secret that is sent in a header. */
function headerSecret() {
  return matching(/^[\x21-\x7e]{1,1000}$/, 'a token of letters, digits and punctuation')
}

function readFlag(text: string): boolean | undefined {
  if (/^(on|true|1|yes)$/i.test(text)) return true
  return /^(off|false|0|no)$/i.test(text) ? false : undefined
}

/** Undefined if an item is invalid or occurs twice. */
function readList<T>(text: string, read: (item: string) => T | undefined): T[] | undefined {
  const items = text.split(',').map((item) => read(item.trim()))
  const values = items.filter((item) => item !== undefined)
  return values.length === items.length && new Set(values).size === values.length ? values : undefined
}

function readZone(text: string): string | undefined {
  return isZone(text) ? text : undefined
}

/** A BCP 47 tag in lower case that Intl supports. */
function readLanguage(text: string): string | undefined {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(text) && isLocale(text) ? text : undefined
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}

/** With a leading slash and without a trailing one; empty for `/`. */
function readPath(text: string): string | undefined {
  const path = text.replace(/^\/+|\/+$/g, '')
  if (path === '') return ''
  return /^[\w.~-]+(\/[\w.~-]+)*$/.test(path) ? `/${path}` : undefined
}

function readWorkers(text: string): number | undefined {
  if (text.toLowerCase() === 'auto') return Math.min(64, availableParallelism())
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  return count >= 1 && count <= 64 ? count : undefined
}

function readHost(text: string): string | undefined {
  return /^[\w.:[\]-]+$/.test(text) ? text : undefined
}

function readWebAddress(text: string): string | undefined {
  return /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) && URL.canParse(text) ? text : undefined
}

/** As `#rrggbb` in lower case. */
function readColor(text: string): string | undefined {
  const [, digits = ''] = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text) ?? []
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  return long === '' ? undefined : `#${long.toLowerCase()}`
}

/** As a link: an e-mail address becomes a `mailto:` URL. */
function readContact(text: string): string | undefined {
  if (z.email().safeParse(text).success) return `mailto:${text}`
  return /^https?:\/\/[^\s@]+$/i.test(text) && URL.canParse(text) ? text : undefined
}

function serverUrl() {
  return setting('postgresql://…', (text) => (isServerUrl(text) ? text : undefined))
}

const isServerUrl = (text: string) => /^postgres(ql)?:\/\/\S+$/.test(text) && URL.canParse(text)

function readDatabaseUrl(text: string): string | undefined {
  return isServerUrl(text) || /^pglite:./.test(text) ? text : undefined
}

function readPurgeTarget(text: string): string | undefined {
  if (/^(fastly|cloudflare):[\w-]{1,64}$/.test(text)) return text
  const url = /^varnish:(.+)$/.exec(text)?.[1] ?? ''
  const address = /^https?:\/\/[^\s/?#@]+\/?$/i.test(url) ? URL.parse(url) : null
  return address ? `varnish:${address.origin}` : undefined
}

/** An origin as browsers send it in the Origin header. Mobile and desktop apps have schemes of their own. */
function readOrigin(text: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+\/?$/i.test(text) ? URL.parse(text) : null
  return url ? `${url.protocol}//${url.host}` : undefined
}

/** For frame-ancestors of a Content-Security-Policy. */
function readWebOrigin(text: string): string | undefined {
  return /^https?:/i.test(text) ? readOrigin(text) : undefined
}

function readProxy(text: string): string | undefined {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return text
  const [address = '', bits = '1', ...more] = text.split('/')
  const maxBits = { 4: 32, 6: 128 }[isIP(address)] ?? 0
  return /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits && more.length === 0 ? text : undefined
}
