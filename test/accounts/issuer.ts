// A real OIDC issuer on loopback, with keys that the tests control.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'

export const audience = 'calendar'

/** A private key. */
export async function makeKey(kid: string, alg = 'RS256'): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true })
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' }
}

export interface TestIssuer {
  readonly url: string
  /** An access token of the issuer for a client, whose name is the subject. */
  token(client: string, claims?: Readonly<Record<string, unknown>>): Promise<string>
  /** How often the discovery document and the keys were requested. */
  readonly requested: { discovery: number; keys: number }
  /** Replaces the keys, as after a rotation. */
  restart(keys: readonly JWK[]): void
  /** Stops the issuer. */
  stop(): Promise<void>
  /** Starts the issuer again at the same address. */
  resume(): Promise<void>
}

const clients = ['ada', 'grace', 'admin', 'zoé'].map((name) => ({
  client_id: Buffer.from(name).toString('base64url'),
  client_secret: 'secret',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
}))

export async function startIssuer(keys: readonly JWK[]): Promise<TestIssuer> {
  const requested = { discovery: 0, keys: 0 }
  let extra: Readonly<Record<string, unknown>> = {}
  let handler: ReturnType<Provider['callback']> = () => undefined
  const server: Server = createServer((request, response) => {
    if (request.url?.includes('openid-configuration')) requested.discovery += 1
    if (request.url?.includes('jwks')) requested.keys += 1
    handler(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const restart = (current: readonly JWK[]) => {
    handler = new Provider(
      url,
      configuration(current, () => extra),
    ).callback()
  }
  restart(keys)

  async function token(client: string, claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
    extra = claims
    const id = Buffer.from(client).toString('base64url')
    const body = new URLSearchParams({ grant_type: 'client_credentials', resource: 'https://calendar.test/' })
    const headers = { authorization: `Basic ${Buffer.from(`${id}:secret`).toString('base64')}` }
    const response = await fetch(`${url}/token`, { method: 'POST', headers, body })
    const { access_token } = (await response.json()) as { access_token?: string }
    if (!access_token) throw new Error(`The issuer responded with ${response.status}`)
    return access_token
  }
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  const resume = async () => {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  }
  return { url, token, requested: requested, restart, stop, resume }
}

const configuration = (keys: readonly JWK[], extra: () => object) => ({
  jwks: { keys },
  clients,
  cookies: { keys: ['cookie'] },
  ttl: { ClientCredentials: 600 },
  extraTokenClaims: extra,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: () => ({ audience, scope: '', accessTokenTTL: 600, accessTokenFormat: 'jwt' }),
    },
  },
})

/** A token that the test signs, valid unless `claims` change it; a null claim is omitted. */
export async function sign(
  key: JWK | CryptoKey | Uint8Array,
  issuer: string,
  claims: Readonly<Record<string, unknown>> = {},
  header: Readonly<Record<string, string>> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const all = { iss: issuer, aud: audience, sub: 'ada', iat: now, exp: now + 600, ...claims }
  const payload = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as JWTPayload
  const { kid, alg = 'RS256' } = 'kid' in key ? (key as JWK) : {}
  return new SignJWT(payload).setProtectedHeader({ alg, ...(kid ? { kid } : {}), ...header }).sign(key)
}
