// Signs people in by the site's OIDC issuer: authorization code flow with PKCE.
import type { Configuration } from 'openid-client'
import type { Settings } from '../../basics/env.ts'
import { DomainError, tokenUnverifiableError, unauthenticatedError } from '../../basics/errors.ts'
import { memoizeOnce } from '../../basics/memoize.ts'
import { fetchIssuerMetadata } from './oidc.ts'
import type { TokenClaims } from './oidc-user.ts'

/** What the browser keeps until the issuer sends it back. */
interface OidcAttempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface OidcClient {
  /** Returns the URL of the issuer, which sends the browser back to `redirectUri`. Throws UNAVAILABLE if it cannot be reached. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly attempt: OidcAttempt }>
  /** Returns the claims of the user whom the issuer sent back to this URL. Throws unauthenticated, and UNAVAILABLE. */
  finish(url: URL, attempt: OidcAttempt): Promise<TokenClaims>
}

/** Imports the library when somebody signs in, so that the service starts faster. */
const library = () => import('openid-client')

/** Returns undefined unless the site has OIDC_CLIENT_ID. The metadata of the issuer is fetched for the first sign-in. */
export function createOidcClient({
  oidcIssuer: issuer,
  oidcClientId: id,
  oidcClientSecret: secret,
}: Settings): OidcClient | undefined {
  if (!issuer || !id) return undefined
  const configure = memoizeOnce(() => discover(issuer, id, secret))
  const withConfiguration = async <Result>(work: (configuration: Configuration) => Promise<Result>) => {
    const configuration = await configure().catch((error: unknown) => {
      throw tokenUnverifiableError(error)
    })
    return work(configuration)
  }
  return {
    begin: (redirectUri) =>
      withConfiguration(async (configuration) => {
        const client = await library()
        const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: 'openid profile email',
          ...{ state, nonce },
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, attempt: { state, nonce, verifier } }
      }),
    finish: (url, { state, nonce, verifier }) =>
      withConfiguration(async (configuration) => {
        const client = await library()
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
        try {
          const tokens = await client.authorizationCodeGrant(configuration, url, checks)
          const claims = tokens.claims()
          if (!claims) throw unauthenticatedError()
          // Many issuers have the name and the e-mail address only there.
          const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined
          const more = hasMore ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
          return { ...more, ...claims }
        } catch (error) {
          throw error instanceof DomainError ? error : unauthenticatedError(error)
        }
      }),
  }
}

async function discover(issuer: string, id: string, secret: string | undefined): Promise<Configuration> {
  const metadata = await fetchIssuerMetadata(issuer)
  const client = await library()
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const withSecret = methods.includes('client_secret_basic') ? client.ClientSecretBasic : client.ClientSecretPost
  const authentication = secret === undefined ? client.None() : withSecret(secret)
  const configuration = new client.Configuration(metadata, id, undefined, authentication)
  configuration.timeout = 5
  if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration)
  client.enableNonRepudiationChecks(configuration)
  return configuration
}
