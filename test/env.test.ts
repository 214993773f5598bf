import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../src/basics/env.ts'

function messageOf(env: NodeJS.ProcessEnv): string {
  try {
    readSettings(env)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

test('defaults', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 4000,
    publicUrl: 'http://localhost:4000',
    pagesUrl: 'http://localhost:4000',
    databaseUrl: 'pglite:./data',
    preparedStatements: true,
    replicaMaxLag: 1000,
    siteName: 'Event calendar',
    siteTimeZone: 'UTC',
    endOfDayCutoff: '00:00',
    showInSiteTimeZone: false,
    languages: ['en', 'fr', 'es'],
    defaultLanguage: 'en',
    languageFallback: true,
    readEngine: 'on',
    execution: 'compiled',
    restEnabled: true,
    searchEngines: true,
    embedOrigins: '*',
    siteAccentColor: '#9c2b2b',
    restPrefix: '',
    restNamespace: 'cal/events/v1',
    restHeaderPrefix: 'X-Cal',
    restCategoryTaxonomy: 'cal_events_cat',
    legacyAddresses: false,
    perPageDefault: 10,
    perPageMax: 50,
    defaultCurrencySymbol: '$',
    defaultCurrencyPosition: 'prefix',
    imagesDir: './data/images',
    imageBytes: 10_485_760,
    imagePrivateHosts: [],
    webhookPrivateHosts: [],
    graphiql: true,
    introspection: true,
    compression: false,
    bodyLimit: 1_048_576,
    queryCostMax: 5000,
    rateLimit: 600,
    rateLimitStore: 'memory',
    requestTimeout: 10_000,
    unsentBytes: 134_217_728,
    subscriptionsMax: 5000,
    subscriptionsPerClient: 1000,
    subscriptionHeartbeat: 12_000,
    feedEventsMax: 10_000,
    feedPastDays: 30,
    feedCancelledDays: 30,
    changeLogDays: 90,
    seriesHorizonMonths: 24,
    revisionDays: 730,
    proposals: true,
    proposalContactDays: 90,
    databasePool: 10,
    workers: 1,
    durability: 'full',
    startupTimeout: 60_000,
    cacheBytes: 33_554_432,
    cdnMaxAge: 0,
    cdnStaleWhileRevalidate: 0,
    cdnPurge: [],
    cdnFastlyUrl: 'https://api.fastly.com',
    cdnCloudflareUrl: 'https://api.cloudflare.com/client/v4',
    corsOrigins: '*',
    trustProxy: false,
    logLevel: 'info',
    seed: true,
  })
})

describe('defaults that depend on other settings', () => {
  test.each([
    [{ PORT: '8080' }, { publicUrl: 'http://localhost:8080', pagesUrl: 'http://localhost:8080' }],
    [{ PUBLIC_URL: 'https://cal.example.org/' }, { pagesUrl: 'https://cal.example.org' }],
    [{ LANGUAGES: 'de,en' }, { defaultLanguage: 'en' }],
    [{ LANGUAGES: 'de, fr' }, { languages: ['de', 'fr'], defaultLanguage: 'de' }],
    [{ PER_PAGE_MAX: '5' }, { perPageDefault: 5 }],
    [{ REST_PREFIX: '/wp-json' }, { legacyAddresses: true }],
    [
      { REST_COMPATIBLE_WITH: 'the-events-calendar' },
      { restPrefix: '/wp-json', restNamespace: 'tribe/events/v1', restHeaderPrefix: 'X-TEC', legacyAddresses: true },
    ],
    [
      { REST_COMPATIBLE_WITH: 'the-events-calendar', REST_PREFIX: '/api' },
      { restPrefix: '/api', restCategoryTaxonomy: 'tribe_events_cat', legacyAddresses: false },
    ],
    [{ REST_PREFIX: '/wp-json', LEGACY_ADDRESSES: 'off' }, { legacyAddresses: false }],
    [{ REST_PREFIX: '/api' }, { legacyAddresses: false }],
    [{ REST_PREFIX: '/api', LEGACY_ADDRESSES: 'on' }, { legacyAddresses: true }],
    [{ DATABASE_URL: 'postgresql://localhost/calendar' }, { seed: false, cacheBytes: 41_943_040 }],
    [{ DATABASE_URL: 'pglite::memory:' }, { seed: true, cacheBytes: 33_554_432 }],
    [{ PUBLIC_URL: 'https://calendar.example.org' }, { seed: false }],
    [{ NODE_ENV: 'production' }, { seed: false }],
    [{ NODE_ENV: 'development' }, { seed: true }],
    [{ PUBLIC_URL: 'http://localhost:4000', NODE_ENV: 'production', SEED: 'on' }, { seed: true }],
    [
      { DATABASE_URL: 'postgresql://db/a', DATABASE_REPLICA_URL: 'postgresql://one/a, postgresql://two/a' },
      { databaseReplicaUrl: ['postgresql://one/a', 'postgresql://two/a'], seed: false },
    ],
    [
      { DATABASE_URL: 'postgresql://pooler/a', DATABASE_DIRECT_URL: 'postgresql://db/a' },
      { databaseDirectUrl: 'postgresql://db/a' },
    ],
  ])('%j', (env, expected) => expect(readSettings(env)).toMatchObject(expected))
})

describe('valid values', () => {
  test.each([
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::', { host: '::' }],
    ['PORT', ' 65535 ', { port: 65_535 }],
    ['PORT', '  ', { port: 4000 }],
    ['PUBLIC_URL', 'https://example.org/calendar/', { publicUrl: 'https://example.org/calendar' }],
    ['PAGES_URL', 'http://[::1]:3000', { pagesUrl: 'http://[::1]:3000' }],
    ['DATABASE_URL', 'postgres://me:pass@db:5432/calendar', { databaseUrl: 'postgres://me:pass@db:5432/calendar' }],
    ['DATABASE_URL', 'postgres://me:a,b@db/calendar', { databaseUrl: 'postgres://me:a,b@db/calendar' }],
    ['DATABASE_URL', 'postgresql:///calendar?host=/run/postgresql', { seed: false }],
    ['PREPARED_STATEMENTS', 'off', { preparedStatements: false }],
    ['SITE_NAME', 'Agenda', { siteName: 'Agenda' }],
    ['SITE_LOGO', './logo.svg', { siteLogo: './logo.svg' }],
    ['SITE_ACCENT_COLOR', '#0A5C8f', { siteAccentColor: '#0a5c8f' }],
    ['SITE_ACCENT_COLOR', '#fC0', { siteAccentColor: '#ffcc00' }],
    ['SITE_FOOTER', 'Town <b>hall</b>', { siteFooter: 'Town <b>hall</b>' }],
    ['SITE_CONTACT', 'agenda@town.example', { siteContact: 'mailto:agenda@town.example' }],
    [
      'SITE_CONTACT',
      'https://town.example/contact?to=agenda',
      { siteContact: 'https://town.example/contact?to=agenda' },
    ],
    ['SITE_TIMEZONE', 'Europe/Madrid', { siteTimeZone: 'Europe/Madrid' }],
    ['SITE_TIMEZONE', 'UTC+5:30', { siteTimeZone: 'UTC+5:30' }],
    ['END_OF_DAY_CUTOFF', '02:30', { endOfDayCutoff: '02:30' }],
    ['SHOW_IN_SITE_TIMEZONE', 'YES', { showInSiteTimeZone: true }],
    ['LANGUAGES', 'pt-br', { languages: ['pt-br'], defaultLanguage: 'pt-br' }],
    ['DEFAULT_LANGUAGE', 'es', { defaultLanguage: 'es' }],
    ['LANGUAGE_FALLBACK', 'off', { languageFallback: false }],
    ['READ_ENGINE', 'verify', { readEngine: 'verify' }],
    ['EXECUTION', 'graphql-js', { execution: 'graphql-js' }],
    ['REST_ENABLED', 'False', { restEnabled: false }],
    ['REST_PREFIX', 'wp-json/', { restPrefix: '/wp-json' }],
    ['REST_PREFIX', '/a/b', { restPrefix: '/a/b' }],
    ['REST_PREFIX', '/', { restPrefix: '' }],
    ['REST_NAMESPACE', '/agenda/v2/', { restNamespace: 'agenda/v2' }],
    ['REST_HEADER_PREFIX', 'X-Agenda', { restHeaderPrefix: 'X-Agenda' }],
    ['REST_CATEGORY_TAXONOMY', 'agenda_cat', { restCategoryTaxonomy: 'agenda_cat' }],
    ['PER_PAGE_DEFAULT', '50', { perPageDefault: 50 }],
    ['PER_PAGE_MAX', '100', { perPageDefault: 10, perPageMax: 100 }],
    ['DEFAULT_CURRENCY_SYMBOL', '€', { defaultCurrencySymbol: '€' }],
    ['DEFAULT_CURRENCY_CODE', 'EUR', { defaultCurrencyCode: 'EUR', defaultCurrencySymbol: '€' }],
    ['DEFAULT_CURRENCY_POSITION', 'Postfix', { defaultCurrencyPosition: 'postfix' }],
    ['IMAGES_DIR', '/srv/images', { imagesDir: '/srv/images' }],
    ['IMAGE_BYTES', '25MB', { imageBytes: 26_214_400 }],
    ['IMAGE_PRIVATE_HOSTS', 'NAS.local, 10.0.0.5', { imagePrivateHosts: ['nas.local', '10.0.0.5'] }],
    ['WEBHOOK_PRIVATE_HOSTS', 'builds.local', { webhookPrivateHosts: ['builds.local'] }],
    ['SEARCH_ENGINES', 'off', { searchEngines: false }],
    ['EMBED_ORIGINS', 'none', { embedOrigins: 'none' }],
    [
      'EMBED_ORIGINS',
      'https://a.example,http://B.example:8080/',
      { embedOrigins: ['https://a.example', 'http://b.example:8080'] },
    ],
    ['GRAPHIQL', '0', { graphiql: false }],
    ['INTROSPECTION', 'no', { introspection: false }],
    ['COMPRESSION', 'on', { compression: true }],
    ['TRUSTED_OPERATIONS', './operations.json', { trustedOperations: './operations.json' }],
    ['BODY_LIMIT', '512KB', { bodyLimit: 524_288 }],
    ['BODY_LIMIT', '2097152', { bodyLimit: 2_097_152 }],
    ['CACHE_BYTES', '1 gb', { cacheBytes: 1_073_741_824 }],
    ['CACHE_BYTES', '0', { cacheBytes: 0 }],
    ['CDN_MAX_AGE', '3600', { cdnMaxAge: 3600 }],
    ['CDN_STALE_WHILE_REVALIDATE', '60', { cdnStaleWhileRevalidate: 60 }],
    ['CDN_PURGE', 'varnish:http://127.0.0.1:6081/', { cdnPurge: ['varnish:http://127.0.0.1:6081'] }],
    ['CDN_FASTLY_URL', 'http://localhost:8080/', { cdnFastlyUrl: 'http://localhost:8080' }],
    ['CDN_CLOUDFLARE_URL', 'https://cf.example/v4', { cdnCloudflareUrl: 'https://cf.example/v4' }],
    ['CDN_FASTLY_TOKEN', 's3cret', { cdnFastlyToken: 's3cret' }],
    ['CDN_CLOUDFLARE_TOKEN', 's3cret', { cdnCloudflareToken: 's3cret' }],
    ['UNSENT_BYTES', '16MB', { unsentBytes: 16_777_216 }],
    ['QUERY_COST_MAX', '100', { queryCostMax: 100 }],
    ['RATE_LIMIT', '0', { rateLimit: 0 }],
    ['RATE_LIMIT_STORE', 'Database', { rateLimitStore: 'database' }],
    ['REQUEST_TIMEOUT', '500', { requestTimeout: 500 }],
    ['SUBSCRIPTIONS_MAX', '0', { subscriptionsMax: 0 }],
    ['SUBSCRIPTIONS_PER_CLIENT', '20', { subscriptionsPerClient: 20 }],
    ['SUBSCRIPTION_HEARTBEAT', '30000', { subscriptionHeartbeat: 30_000 }],
    ['FEED_EVENTS_MAX', '500', { feedEventsMax: 500 }],
    ['FEED_PAST_DAYS', '0', { feedPastDays: 0 }],
    ['CHANGE_LOG_DAYS', '7', { changeLogDays: 7 }],
    ['REVISION_DAYS', '90', { revisionDays: 90 }],
    ['FEED_CANCELLED_DAYS', '7', { feedCancelledDays: 7 }],
    ['DATABASE_POOL', '25', { databasePool: 25 }],
    ['WORKERS', '1', { workers: 1 }],
    ['DURABILITY', 'relaxed', { durability: 'relaxed' }],
    ['STARTUP_TIMEOUT', '0', { startupTimeout: 0 }],
    ['OIDC_ROLE_CLAIM', 'roles', { oidcRoleClaim: 'roles' }],
    ['MAIL_FROM', 'calendar@town.example', { mailFrom: 'calendar@town.example' }],
    [
      'CORS_ORIGINS',
      'https://App.example.org/, capacitor://localhost',
      {
        corsOrigins: ['https://app.example.org', 'capacitor://localhost'],
      },
    ],
    ['TRUST_PROXY', 'on', { trustProxy: true }],
    ['TRUST_PROXY', '0', { trustProxy: false }],
    ['TRUST_PROXY', 'loopback, 10.0.0.0/8, fd00::1', { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::1'] }],
    ['LOG_LEVEL', 'WARN', { logLevel: 'warn' }],
    ['SEED', 'off', { seed: false }],
  ])('%s=%s', (name, value, expected) => expect(readSettings({ [name]: value })).toMatchObject(expected))

  test('settings that belong together are accepted', () => {
    const env = {
      ADMIN_LOGIN: 'ada',
      ADMIN_PASSWORD: ' spaces stay ',
      OIDC_ISSUER: 'https://id/',
      OIDC_AUDIENCE: 'cal',
    }
    expect(readSettings(env)).toMatchObject({
      adminLogin: 'ada',
      adminPassword: ' spaces stay ',
      oidcIssuer: 'https://id/',
      oidcAudience: 'cal',
    })
  })
})

describe('invalid values', () => {
  test.each([
    ['HOST', 'http://localhost', 'a host name'],
    ['PORT', '65536', 'from 1 to 65535'],
    ['PORT', '0', 'from 1 to 65535'],
    ['PORT', '-1', 'a whole number'],
    ['PORT', '0x10', 'a whole number'],
    ['PORT', '4000.5', 'a whole number'],
    ['PUBLIC_URL', 'example.org', 'http:// or https://'],
    ['PUBLIC_URL', 'ftp://example.org', 'http:// or https://'],
    ['PUBLIC_URL', 'https://example.org/?a=1', 'without query'],
    ['PUBLIC_URL', 'http://', 'absolute'],
    ['PAGES_URL', '/pages', 'absolute'],
    ['SITE_ACCENT_COLOR', 'blue', '#rrggbb'],
    ['SITE_ACCENT_COLOR', '#12345', '#rrggbb'],
    ['SITE_CONTACT', 'town hall', 'an e-mail address'],
    ['SITE_CONTACT', 'javascript:alert(1)', 'an http:// or https:// URL'],
    ['SITE_TIMEZONE', 'Mars/Olympus', 'a time zone'],
    ['SITE_TIMEZONE', 'UTC+14:01', 'a time zone'],
    ['END_OF_DAY_CUTOFF', '24:00', 'HH:MM'],
    ['END_OF_DAY_CUTOFF', '2:00', 'HH:MM'],
    ['SHOW_IN_SITE_TIMEZONE', 'maybe', 'on or off'],
    ['LANGUAGES', 'EN', 'language codes'],
    ['LANGUAGES', 'en,en', 'different'],
    ['LANGUAGES', 'en,,fr', 'separated by commas'],
    ['LANGUAGES', ',', 'language codes'],
    ['LANGUAGES', 'en-a1', 'language codes'],
    ['DEFAULT_LANGUAGE', 'de', 'one of LANGUAGES: en, fr, es'],
    ['DEFAULT_LANGUAGE', 'English', 'one of LANGUAGES'],
    ['LANGUAGE_FALLBACK', '2', 'on or off'],
    ['READ_ENGINE', 'fast', 'one of on, sample, verify, prisma'],
    ['EXECUTION', 'fast', 'one of compiled, sample, verify, graphql-js'],
    ['REST_PREFIX', '/a b', 'a path'],
    ['REST_PREFIX', '/:id', 'a path'],
    ['REST_NAMESPACE', '/', 'a path'],
    ['REST_HEADER_PREFIX', 'X Cal', 'a header name'],
    ['PER_PAGE_DEFAULT', '51', 'at most PER_PAGE_MAX, which is 50'],
    ['PER_PAGE_DEFAULT', '0', 'from 1'],
    ['PER_PAGE_MAX', 'many', 'a whole number'],
    ['DEFAULT_CURRENCY_POSITION', 'left', 'prefix, postfix'],
    ['IMAGE_BYTES', '10 photos', 'a size'],
    ['IMAGE_PRIVATE_HOSTS', 'http://nas/', 'host names'],
    ['WEBHOOK_PRIVATE_HOSTS', 'http://nas/', 'host names'],
    ['SEARCH_ENGINES', 'none', 'on or off'],
    ['EMBED_ORIGINS', 'https://a.example/path', 'origins'],
    ['EMBED_ORIGINS', "'self'", 'origins'],
    ['EMBED_ORIGINS', 'app://a.example', 'origins'],
    ['GRAPHIQL', 'enabled', 'on or off'],
    ['BODY_LIMIT', '0', 'at least 1 bytes'],
    ['BODY_LIMIT', '1.5MB', '512KB'],
    ['CACHE_BYTES', '-1', 'at least 0 bytes'],
    ['CDN_MAX_AGE', '1h', 'from 0'],
    ['CDN_STALE_WHILE_REVALIDATE', '31536001', 'to 31536000'],
    ['CDN_PURGE', 'akamai:1', 'varnish:<URL>, fastly:<service ID>'],
    ['CDN_PURGE', 'varnish:http://cache/path', 'varnish:<URL>'],
    ['CDN_PURGE', 'varnish:http://a,varnish:http://a/', 'separated by commas'],
    ['CDN_FASTLY_URL', 'api.fastly.com', 'https://'],
    ['CDN_CLOUDFLARE_URL', 'api', 'https://'],
    ['UNSENT_BYTES', '0', 'at least 1 bytes'],
    ['CACHE_BYTES', '999999999999GB', 'a size'],
    ['QUERY_COST_MAX', '0', 'from 1'],
    ['RATE_LIMIT', '1e3', 'from 0'],
    ['RATE_LIMIT_STORE', 'redis', 'memory, database'],
    ['REQUEST_TIMEOUT', '99999999999', 'to 2147483647'],
    ['SUBSCRIPTIONS_MAX', '-1', 'from 0'],
    ['SUBSCRIPTIONS_PER_CLIENT', '0', 'from 1'],
    ['SUBSCRIPTION_HEARTBEAT', '10', 'from 100'],
    ['FEED_EVENTS_MAX', '0', 'from 1'],
    ['FEED_PAST_DAYS', '-1', 'from 0'],
    ['CHANGE_LOG_DAYS', '0', 'from 1'],
    ['REVISION_DAYS', '30', 'at least CHANGE_LOG_DAYS, which is 90'],
    ['FEED_CANCELLED_DAYS', '40000', 'to 36500'],
    ['DATABASE_POOL', '0', 'from 1'],
    ['WORKERS', '0', 'from 1 to 64'],
    ['WORKERS', '65', 'from 1 to 64'],
    ['WORKERS', 'all', 'auto'],
    ['DURABILITY', 'none', 'full, relaxed'],
    ['STARTUP_TIMEOUT', '1m', 'whole number'],
    ['ADMIN_LOGIN', 'a:b', 'without colon'],
    ['OIDC_ISSUER', 'issuer', 'URL'],
    ['MAIL_FROM', 'calendar', 'e-mail address'],
    ['CORS_ORIGINS', 'https://a.example/path', 'origins'],
    ['CORS_ORIGINS', 'https://a.example,*', 'origins'],
    ['TRUST_PROXY', '1', 'addresses of proxies'],
    ['TRUST_PROXY', '10.0.0.0/33', 'addresses of proxies'],
    ['TRUST_PROXY', '0.0.0.0/0', 'addresses of proxies'],
    ['LOG_LEVEL', 'verbose', 'fatal, error, warn'],
    ['REST_COMPATIBLE_WITH', 'wordpress', 'the-events-calendar'],
    ['SEED', 'si', 'on or off'],
  ])('%s=%s', (name, value, right) => {
    const message = messageOf({ [name]: value })
    expect(message.split('\n')).toHaveLength(1)
    expect(message).toMatch(new RegExp(`^${name} `))
    expect(message).toContain(JSON.stringify(value))
    expect(message).toContain(right)
  })

  test.each(['mysql://me:s3cret@db/calendar', 'postgres://me:s3cret@db:port/calendar', 's3cret', 'pglite:'])(
    'DATABASE_URL=%s, which is not shown',
    (value) => {
      const message = messageOf({ DATABASE_URL: value })
      expect(message).toMatch(/^DATABASE_URL .*pglite:<folder>.*postgresql:/)
      expect(message).not.toContain('s3cret')
    },
  )

  test.each([
    'postgresql://me:s3cret@one,two/calendar',
    'postgresql://me:s3cret@one:5432,two:5432/calendar',
    'postgresql://me:s3cret@/calendar?host=one,two',
    'postgresql:///calendar?password=s3cret&host=one%2Ctwo',
  ])('DATABASE_URL=%s names several hosts', (value) => {
    const expected = /is invalid .*; expected one host\. .* an address that moves with the primary/
    const messages = [
      messageOf({ DATABASE_URL: value }),
      messageOf({ DATABASE_URL: 'postgresql://db/a', DATABASE_DIRECT_URL: value }),
    ]
    for (const message of messages) {
      expect(message).toMatch(expected)
      expect(message).not.toContain('s3cret')
    }
  })

  test.each(['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])('%s is not shown, and needs a server', (name) => {
    const message = messageOf({ DATABASE_URL: 'postgresql://db/a', [name]: 'mysql://me:s3cret@db' })
    expect(message).toMatch(new RegExp(`^${name} is invalid .*postgresql:`))
    expect(message).not.toContain('s3cret')
    expect(messageOf({ [name]: 'postgresql://me:s3cret@db/calendar' })).toBe(
      `${name} is invalid (its value is not shown); expected nothing, because DATABASE_URL is an embedded database`,
    )
  })

  test('a setting without the one it requires is rejected', () => {
    expect(messageOf({ ADMIN_LOGIN: 'ada' })).toMatch(/^ADMIN_PASSWORD is missing.*ADMIN_LOGIN/)
    expect(messageOf({ ADMIN_PASSWORD: 's3cret' })).toMatch(/^ADMIN_LOGIN is missing.*ADMIN_PASSWORD/)
    expect(messageOf({ ADMIN_PASSWORD: 's3cret' })).not.toContain('s3cret')
    expect(messageOf({ OIDC_ISSUER: 'https://id.example' })).toMatch(/^OIDC_AUDIENCE is missing.*OIDC_ISSUER/)
    expect(messageOf({ OIDC_CLIENT_ID: 'calendar' })).toMatch(/^OIDC_ISSUER is missing.*OIDC_CLIENT_ID/)
    expect(messageOf({ OIDC_CLIENT_SECRET: 's3cret' })).toMatch(/^OIDC_CLIENT_ID is missing.*OIDC_CLIENT_SECRET/)
    expect(messageOf({ SMTP_URL: 'smtp://mail.example' })).toMatch(/^MAIL_FROM is missing.*SMTP_URL/)
    expect(messageOf({ SMTP_URL: 'http://user:s3cret@mail' })).toMatch(
      /^SMTP_URL is invalid \(its value is not shown\)/,
    )
  })

  test.each(['FASTLY', 'CLOUDFLARE'])('CDN_PURGE of %s needs a token, which is not shown', (provider) => {
    const purge = { CDN_PURGE: `${provider.toLowerCase()}:x1` }
    const token = `CDN_${provider}_TOKEN`
    expect(messageOf(purge)).toMatch(new RegExp(`^${token} is missing; .*CDN_PURGE`))
    expect(messageOf({ ...purge, [token]: 's3 cret' })).toMatch(new RegExp(`^${token} is invalid`))
    expect(messageOf({ ...purge, [token]: 's3 cret' })).not.toContain('s3 cret')
    expect(messageOf({ ...purge, [token]: 's3cret' })).toBe('')
  })

  test('CDN_MAX_AGE needs the response cache', () => {
    expect(messageOf({ CDN_MAX_AGE: '60', CACHE_BYTES: '0' })).toMatch(/^CACHE_BYTES is "0"; .*above 0.*CDN_MAX_AGE/)
  })

  test('DEFAULT_CURRENCY_CODE has DEFAULT_CURRENCY_SYMBOL', () => {
    const symbol = (currency: string) => ({ DEFAULT_CURRENCY_CODE: 'EUR', DEFAULT_CURRENCY_SYMBOL: currency })
    expect(messageOf(symbol('$'))).toMatch(/^DEFAULT_CURRENCY_CODE is "EUR"; .*USD.* which have \$/)
    for (const known of ['€', 'EUR', 'Euro']) expect(messageOf(symbol(known))).toBe('')
    expect(messageOf({ DEFAULT_CURRENCY_CODE: 'CAD', DEFAULT_CURRENCY_SYMBOL: '$' })).toBe('')
  })

  test('LEGACY_ADDRESSES needs a REST_PREFIX, and another REST_NAMESPACE than that of the platform', () => {
    expect(messageOf({ LEGACY_ADDRESSES: 'on' })).toMatch(/^LEGACY_ADDRESSES is "on"; .*REST_PREFIX=\/wp-json/)
    const taken = { REST_PREFIX: '/api', REST_NAMESPACE: 'wp/v2' }
    expect(messageOf({ ...taken, LEGACY_ADDRESSES: 'on' })).toMatch(/^REST_NAMESPACE is "wp\/v2"; .*cal\/events\/v1/)
    expect(messageOf({ ...taken, REST_PREFIX: '/wp-json' })).toMatch(/^REST_NAMESPACE /)
    expect(messageOf(taken)).toBe('')
  })

  test('several workers need a PostgreSQL server', () => {
    const server = { DATABASE_URL: 'postgresql://localhost/calendar' }
    expect(messageOf({ WORKERS: '2', DATABASE_URL: 'pglite:./data' })).toMatch(/^WORKERS is "2"; .*embedded database/)
    expect(readSettings({ ...server, WORKERS: '2' })).toMatchObject({ workers: 2, rateLimitStore: 'database' })
    expect(readSettings({ ...server, WORKERS: '2', RATE_LIMIT_STORE: 'memory' }).rateLimitStore).toBe('memory')
    expect(readSettings({ ...server, WORKERS: 'auto' }).workers).toBe(availableParallelism())
  })

  test('all problems are reported at once, each only once', () => {
    const env = { PORT: 'x', LANGUAGES: 'x', DEFAULT_LANGUAGE: 'de', PER_PAGE_DEFAULT: '99', ADMIN_PASSWORD: 's3cret' }
    const lines = messageOf(env).split('\n')
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
      'ADMIN_LOGIN',
      'LANGUAGES',
      'PER_PAGE_DEFAULT',
      'PORT',
    ])
    expect(lines.join()).not.toContain('s3cret')
  })

  test('SITE_FOOTER that is too long', () => {
    expect(messageOf({ SITE_FOOTER: 'x'.repeat(10_001) })).toMatch(/^SITE_FOOTER .*at most 10000 characters$/)
  })

  test('a long value is shown on one line and cut', () => {
    const message = messageOf({ LOG_LEVEL: `a\nb${'c'.repeat(1000)}` })
    expect(message).not.toContain('\n')
    expect(message.length).toBeLessThan(250)
  })
})
