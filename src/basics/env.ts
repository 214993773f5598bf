import { z } from 'zod'
import * as setting from './setting-values.ts'

const fields = z.object({
  host: setting.pattern(/^[\w.:%-]+$/, 'a host name or an address to listen on').default('127.0.0.1'),
  port: setting.integer(1, 65_535).default(4000),
  publicUrl: setting.siteUrl().optional(),
  pagesUrl: setting.siteUrl().optional(),
  databaseUrl: setting.databaseUrl().default('pglite:./data'),
  databaseDirectUrl: setting.serverUrl().optional(),
  databaseReplicaUrl: setting
    .list('different postgresql://… URLs, separated by commas', setting.readServerUrl)
    .optional(),
  replicaMaxLag: setting.integer(1).default(1000),
  preparedStatements: setting.flag().default(true),
  siteName: z.string().default('Event calendar'),
  siteLogo: z.string().optional(),
  siteAccentColor: setting.create('a colour as #rgb or #rrggbb, such as #0a5c8f', setting.readColor).default('#9c2b2b'),
  siteFooter: setting
    .create(
      'text or HTML of at most 10000 characters',
      setting.readTextIf(({ length }) => length <= 10_000),
    )
    .optional(),
  siteContact: setting.create('an e-mail address, or an http:// or https:// URL', setting.readContact).optional(),
  siteTimeZone: setting.create('a time zone, such as Europe/Paris or UTC+2', setting.readZone).default('UTC'),
  endOfDayCutoff: setting.pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time as HH:MM, from 00:00 to 23:59').default('00:00'),
  showInSiteTimeZone: setting.flag().default(false),
  languages: setting
    .list('different language codes, separated by commas, such as en,pt-br', setting.readLanguage)
    .default(['en', 'fr', 'es']),
  defaultLanguage: setting.create('one of LANGUAGES, such as en', setting.readLanguage).optional(),
  languageFallback: setting.flag().default(true),
  readEngine: setting.choice(['on', 'sample', 'verify', 'prisma']).default('on'),
  execution: setting.choice(['compiled', 'sample', 'verify', 'graphql-js']).default('compiled'),
  restEnabled: setting.flag().default(true),
  restCompatibleWith: setting.choice(['the-events-calendar']).optional(),
  restPrefix: setting.create('a path, such as /api', setting.readPath).default(''),
  restNamespace: setting
    .create('a path, such as cal/events/v1', (value) => setting.readPath(value)?.slice(1) || undefined)
    .default('cal/events/v1'),
  restHeaderPrefix: setting
    .pattern(/^[\w!#$%&'*+.^`|~-]+$/, 'the start of a header name, such as X-Cal')
    .default('X-Cal'),
  restCategoryTaxonomy: setting.pattern(/^[\w-]{1,100}$/, 'a name, such as cal_events_cat').default('cal_events_cat'),
  legacyAddresses: setting.flag().optional(),
  perPageDefault: setting.integer(1).optional(),
  perPageMax: setting.integer(1).default(50),
  defaultCurrencySymbol: z.string().optional(),
  defaultCurrencyCode: setting
    .create('an ISO 4217 code, such as EUR', (code) => Intl.supportedValuesOf('currency').find((each) => each === code))
    .optional(),
  defaultCurrencyPosition: setting.choice(['prefix', 'postfix']).default('prefix'),
  imagesDir: z.string().default('./data/images'),
  imageBytes: setting.byteCount(1).default(10 * 1024 ** 2),
  imagePrivateHosts: setting.list('host names or addresses, separated by commas', setting.readHost).default([]),
  webhookPrivateHosts: setting.list('host names or addresses, separated by commas', setting.readHost).default([]),
  searchEngines: setting.flag().default(true),
  graphiql: setting.flag().default(true),
  introspection: setting.flag().default(true),
  compression: setting.flag().default(false),
  trustedOperations: z.string().optional(),
  bodyLimit: setting.byteCount(1).default(1024 ** 2),
  queryCostMax: setting.integer(1).default(5000),
  rateLimit: setting.integer(0).default(600),
  rateLimitStore: setting.choice(['memory', 'database']).optional(),
  requestTimeout: setting.integer(1).default(10_000),
  unsentBytes: setting.byteCount(1).default(128 * 1024 ** 2),
  subscriptionsMax: setting.integer(0).default(5000),
  subscriptionsPerClient: setting.integer(1).default(1000),
  subscriptionHeartbeat: setting.integer(100).default(12_000),
  feedEventsMax: setting.integer(1, 1_000_000).default(10_000),
  feedPastDays: setting.integer(0, 36_500).default(30),
  feedCancelledDays: setting.integer(0, 36_500).default(30),
  changeLogDays: setting.integer(1, 36_500).default(90),
  revisionDays: setting.integer(1, 36_500).default(730),
  proposals: setting.flag().default(true),
  proposalContactDays: setting.integer(1, 36_500).default(90),
  seriesHorizonMonths: setting.integer(1, 120).default(24),
  databasePool: setting.integer(1).default(10),
  workers: setting
    .create('a whole number from 1 to 64, or auto for one process per CPU', setting.readWorkers)
    .default(1),
  durability: setting.choice(['full', 'relaxed']).default('full'),
  startupTimeout: setting.integer(0).default(60_000),
  cacheBytes: setting.byteCount(0).optional(),
  cdnMaxAge: setting.integer(0, 31_536_000).default(0),
  cdnStaleWhileRevalidate: setting.integer(0, 31_536_000).default(0),
  cdnPurge: setting
    .list(
      'varnish:<URL>, fastly:<service ID> or cloudflare:<zone ID>, or several of them, separated by commas',
      setting.readPurgeTarget,
    )
    .default([]),
  cdnFastlyToken: setting.headerSecret().optional(),
  cdnFastlyUrl: setting.siteUrl().default('https://api.fastly.com'),
  cdnCloudflareToken: setting.headerSecret().optional(),
  cdnCloudflareUrl: setting.siteUrl().default('https://api.cloudflare.com/client/v4'),
  adminLogin: setting.pattern(/^[^:\p{Cc}]+$/u, 'a login name without colon').optional(),
  adminPassword: z.string().optional(),
  // Not normalized, because the URL must equal the issuer in tokens, including a trailing slash.
  oidcIssuer: setting.create('an http:// or https:// URL', setting.readWebAddress).optional(),
  oidcAudience: z.string().optional(),
  oidcRoleClaim: z.string().optional(),
  oidcClientId: z.string().optional(),
  oidcClientSecret: z.string().optional(),
  smtpUrl: setting
    .pattern(/^smtps?:\/\/[^\s/]+$/, 'an smtp:// or smtps:// URL, such as smtp://user:password@mail.example.org')
    .optional(),
  mailFrom: setting
    .create(
      'an e-mail address',
      setting.readTextIf((text) => z.email().safeParse(text).success),
    )
    .optional(),
  corsOrigins: setting
    .create('* or origins, separated by commas, such as https://app.example.org', (value) =>
      value === '*' ? value : setting.readList(value, setting.readOrigin),
    )
    .default('*'),
  embedOrigins: setting
    .create('*, none, or origins, separated by commas, such as https://www.example.org', (value) =>
      value === '*' || value === 'none' ? value : setting.readList(value, setting.readWebOrigin),
    )
    .default('*'),
  // `1` is refused, because it could mean either "on" or "one proxy", and trusting all proxies lets clients forge addresses.
  trustProxy: setting
    .create('on, off, or addresses of proxies, separated by commas, such as loopback,10.0.0.0/8', (value) =>
      value === '1' ? undefined : (setting.readFlag(value) ?? setting.readList(value, setting.readProxy)),
    )
    .default(false),
  logLevel: setting.choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  seed: setting.flag().optional(),
  nodeEnv: z.string().optional(),
})

/** Defaults of REST settings for each value of REST_COMPATIBLE_WITH. */
const compatible: Readonly<Record<string, Readonly<Partial<Record<keyof Fields, string>>>>> = {
  'the-events-calendar': {
    restPrefix: '/wp-json',
    restNamespace: 'tribe/events/v1',
    restHeaderPrefix: 'X-TEC',
    restCategoryTaxonomy: 'tribe_events_cat',
  },
}

/** Keys of settings whose values are secret, and never shown in messages or logs. */
const secretKeys: ReadonlySet<string> = new Set<keyof Fields>([
  'databaseUrl',
  'databaseDirectUrl',
  'databaseReplicaUrl',
  'adminPassword',
  'cdnFastlyToken',
  'cdnCloudflareToken',
  'smtpUrl',
  'oidcClientSecret',
] as const)

/** Every setting: its key, and the name of its environment variable. */
export const settingKeys = Object.keys(fields.shape).map((key) => ({ key, name: envName(key) }))

type Fields = z.output<typeof fields>
export type Settings = Readonly<ReturnType<typeof withDerived>>

/** Settings that may differ between instances of one service. */
const ownKeys: ReadonlySet<string> = new Set<keyof Fields>(['host', 'port'])

/** The settings by the names of their variables, without secrets and without those that differ between instances of one service. */
export const sharedSettings = (values: Settings): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    settingKeys
      .filter(({ key }) => !secretKeys.has(key) && !ownKeys.has(key))
      .map(({ key, name }) => [name, values[key as keyof Settings] ?? null]),
  )

/** Reads the settings of this process from its environment variables. */
export const settings = (): Settings => readSettings(process.env)

/**
 * Reads the settings from environment variables. Throws one error whose message has a line for each invalid setting, without the
 * values of secrets. Blank values count as absent.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(
    Object.keys(fields.shape)
      .map((key) => [key, key === 'adminPassword' ? env[envName(key)] : env[envName(key)]?.trim()] as const)
      .filter(([, value]) => value?.trim()),
  )
  const present: Readonly<Record<string, string | undefined>> = {
    ...compatible[given.restCompatibleWith ?? ''],
    ...given,
  }
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
  const isEmbedded = values.databaseUrl.startsWith('pglite:')
  return {
    ...values,
    publicUrl,
    pagesUrl: values.pagesUrl ?? publicUrl,
    defaultLanguage: values.defaultLanguage ?? (values.languages.includes('en') ? 'en' : firstLanguage),
    legacyAddresses: hasLegacyAddresses(values),
    defaultCurrencySymbol:
      values.defaultCurrencySymbol ?? (values.defaultCurrencyCode ? narrowSymbol(values.defaultCurrencyCode) : '$'),
    perPageDefault: values.perPageDefault ?? Math.min(10, values.perPageMax),
    rateLimitStore: values.rateLimitStore ?? (values.workers > 1 ? 'database' : 'memory'),
    seed: values.seed ?? (isEmbedded && values.publicUrl === undefined && values.nodeEnv !== 'production'),
    cacheBytes: values.cacheBytes ?? (isEmbedded ? 32 : 40) * 1024 ** 2,
  }
}

/** Returns the symbol that people in the countries of the currency write, such as `$`, `€` or `CHF`. */
const narrowSymbol = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

const hasLegacyAddresses = ({ legacyAddresses, restPrefix }: Fields): boolean =>
  legacyAddresses ?? restPrefix === '/wp-json'

type Conflict = readonly [key: keyof Fields, other: keyof Fields, expected: string]

/** Finds invalid combinations of settings. Returns the setting to change, the other setting, and the expected value. */
function findConflicts(values: Fields): Conflict[] {
  const { languages, defaultLanguage, perPageDefault, perPageMax, adminLogin, adminPassword } = values
  const { defaultCurrencySymbol: symbol, defaultCurrencyCode: code } = values
  const conflicts: Conflict[] = []
  const refuse = (isConflict: unknown, ...conflict: Conflict) => {
    if (isConflict) conflicts.push(conflict)
  }
  const isOther = defaultLanguage && !languages.includes(defaultLanguage)
  refuse(isOther, 'defaultLanguage', 'languages', `one of LANGUAGES: ${languages.join(', ')}`)
  const ofPages = `at most PER_PAGE_MAX, which is ${perPageMax}`
  refuse(perPageDefault && perPageDefault > perPageMax, 'perPageDefault', 'perPageMax', ofPages)
  if (symbol !== undefined && code !== undefined && narrowSymbol(code) !== symbol) {
    const others = Intl.supportedValuesOf('currency').filter((other) => narrowSymbol(other) === symbol)
    const expected = `one of ${others.join(', ')}, which have ${symbol}`
    refuse(others.length > 0, 'defaultCurrencyCode', 'defaultCurrencySymbol', expected)
  }
  const withPrefix = 'off, because REST_PREFIX is empty; or set REST_PREFIX=/wp-json'
  refuse(values.legacyAddresses && values.restPrefix === '', 'legacyAddresses', 'restPrefix', withPrefix)
  const isOfPlatform = hasLegacyAddresses(values) && values.restNamespace === 'wp/v2'
  const otherPath = 'another path than that of the platform, such as cal/events/v1'
  refuse(isOfPlatform, 'restNamespace', 'legacyAddresses', otherPath)
  const cached = 'a size above 0, because CDN_MAX_AGE is set: the response cache finds out what a response depends on'
  refuse(values.cdnMaxAge > 0 && values.cacheBytes === 0, 'cacheBytes', 'cdnMaxAge', cached)
  const kept = `at least CHANGE_LOG_DAYS, which is ${values.changeLogDays}`
  refuse(values.revisionDays < values.changeLogDays, 'revisionDays', 'changeLogDays', kept)
  const isEmbedded = values.databaseUrl.startsWith('pglite:')
  for (const key of ['databaseDirectUrl', 'databaseReplicaUrl'] as const) {
    const expected = 'nothing, because DATABASE_URL is an embedded database'
    refuse(isEmbedded && values[key] !== undefined, key, 'databaseUrl', expected)
  }
  for (const [provider, key, target] of [
    ['fastly', 'cdnFastlyToken', 'service of Fastly'],
    ['cloudflare', 'cdnCloudflareToken', 'zone of Cloudflare'],
  ] as const) {
    const isNamed = values.cdnPurge.some((each) => each.startsWith(`${provider}:`))
    refuse(isNamed && !values[key], key, 'cdnPurge', `an API token, because CDN_PURGE names a ${target}`)
  }
  refuse(adminLogin && !adminPassword, 'adminPassword', 'adminLogin', 'a password, because ADMIN_LOGIN is set')
  refuse(adminPassword && !adminLogin, 'adminLogin', 'adminPassword', 'a login, because ADMIN_PASSWORD is set')
  const oneProcess = '1, because DATABASE_URL is the embedded database, which serves one process'
  refuse(values.workers > 1 && isEmbedded, 'workers', 'databaseUrl', oneProcess)
  const audience = 'the audience of the tokens that OIDC_ISSUER issues; or set OIDC_CLIENT_ID'
  refuse(values.oidcIssuer && !values.oidcAudience && !values.oidcClientId, 'oidcAudience', 'oidcIssuer', audience)
  const issuer = 'the URL of the issuer, because OIDC_CLIENT_ID is set'
  refuse(values.oidcClientId && !values.oidcIssuer, 'oidcIssuer', 'oidcClientId', issuer)
  const client = 'the ID of the client, because OIDC_CLIENT_SECRET is set'
  refuse(values.oidcClientSecret && !values.oidcClientId, 'oidcClientId', 'oidcClientSecret', client)
  refuse(values.smtpUrl && !values.mailFrom, 'mailFrom', 'smtpUrl', 'an e-mail address, because SMTP_URL is set')
  return conflicts
}

function envName(key: string): string {
  return key.replace('TimeZone', 'Timezone').replace(/[A-Z]/g, '_$&').toUpperCase()
}

function describeValue(key: string, value: string | undefined): string {
  if (value === undefined) return 'is missing'
  if (secretKeys.has(key)) return 'is invalid (its value is not shown)'
  return `is ${JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)}`
}
