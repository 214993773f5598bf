// Verifies tokens of the site's OIDC issuer. The keys of the issuer are fetched for the first token, and again after a change.
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { ServerMetadata } from 'openid-client'
import type { Settings } from '../../basics/env.ts'
import { tokenUnverifiableError } from '../../basics/errors.ts'
import { memoizeOnce } from '../../basics/memoize.ts'

/** The OIDC issuer whose tokens the site accepts. */
export interface OidcIssuer {
  /** Returns the claims of a token; undefined for an invalid token. Throws UNAVAILABLE if the keys cannot be fetched. */
  verifyToken(token: string, now: Date): Promise<JWTPayload | undefined>
}

/** Accepted algorithms. Only asymmetric ones, because with HS256 anyone could sign a token with the public key. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')

/** Imports the library when the first token is verified, so that the service starts faster. */
const jose = () => import('jose')

/** Milliseconds after which a request to the issuer fails. */
const responseTimeout = 5000

export function createOidcIssuer({ oidcIssuer: issuer, oidcAudience: audience }: Settings): OidcIssuer | undefined {
  if (!issuer || !audience) return undefined
  const discoverOnce = memoizeOnce(() => discover(issuer))
  const keys: JWTVerifyGetKey = async (header, token) => {
    const getKey = await discoverOnce().catch((cause) => {
      throw tokenUnverifiableError(cause)
    })
    return Promise.resolve(getKey(header, token)).catch(async (error) => {
      throw (await isInvalidToken(error)) ? error : tokenUnverifiableError(error)
    })
  }
  return {
    async verifyToken(token, now) {
      const { errors, jwtVerify } = await jose()
      const rules = {
        issuer,
        audience,
        algorithms,
        currentDate: now,
        clockTolerance: 5,
        requiredClaims: ['sub', 'exp'],
      }
      try {
        return (await jwtVerify(token, keys, rules)).payload
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}

/** Fetches the metadata of the issuer. Throws if it is of another issuer. */
export async function fetchIssuerMetadata(issuer: string): Promise<ServerMetadata> {
  const { allowInsecureRequests, discovery, None } = await import('openid-client')
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  const options = { execute, timeout: responseTimeout / 1000 }
  // The library requires a client ID, which discovery does not send.
  const clientId = 'discovery'
  return (await discovery(new URL(issuer), clientId, undefined, None(), options)).serverMetadata()
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const { jwks_uri: uri } = await fetchIssuerMetadata(issuer)
  if (!uri) throw new Error(`The metadata of ${issuer} has no jwks_uri, the address of the keys that sign its tokens.`)
  const { createRemoteJWKSet } = await jose()
  return createRemoteJWKSet(new URL(uri), { timeoutDuration: responseTimeout })
}

/** Whether the error is due to the token: for an unknown key, only if the keys could be fetched. */
async function isInvalidToken(error: unknown): Promise<boolean> {
  const { errors } = await jose()
  const invalidTokenErrors = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported]
  return invalidTokenErrors.some((refusal) => error instanceof refusal)
}
