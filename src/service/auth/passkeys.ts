// Passkeys (WebAuthn): the browser keeps a private key, and signs a challenge of the service with it.
import { createHmac, randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Settings } from '../../basics/env.ts'
import { unauthenticatedError } from '../../basics/errors.ts'
import { runInTransaction } from '../../engine/postgres/transaction.ts'
import { findCredential } from './credentials.ts'
import type { Viewer } from './permissions.ts'
import { isEqualInConstantTime } from './secrets.ts'
import { actorOf, type SignInOrigin } from './sessions.ts'
import { countFailedSignIn, type SignInEnvironment } from './sign-in.ts'

/** Imports the library when the first passkey is used, so that the service starts faster. */
const library = () => import('@simplewebauthn/server')

export interface PasskeyEnvironment extends SignInEnvironment {
  readonly settings: Settings
  /** A secret of the site, which signs challenges: they need no table, which strangers could fill. */
  readonly siteKey: Uint8Array
}

/** Minutes in which a challenge has to be signed. */
const challengeMinutes = 30

/** What a challenge is for: signing in, or adding a passkey to a user. */
type Purpose = 'sign in' | `add to ${number}`

const [timeLength, randomLength] = [8, 16]

const seal = (key: Uint8Array, purpose: Purpose, body: Buffer) =>
  createHmac('sha256', key).update(`passkey ${purpose} `).update(body).digest()

function createChallenge({ siteKey, now }: PasskeyEnvironment, purpose: Purpose): Uint8Array<ArrayBuffer> {
  const time = Buffer.alloc(timeLength)
  time.writeBigInt64BE(BigInt(now().getTime()))
  const body = Buffer.concat([time, randomBytes(randomLength)])
  return Uint8Array.from(Buffer.concat([body, seal(siteKey, purpose, body)]))
}

/** Returns a function that says whether a challenge is one of this service, in time, and new to this process. */
const isFresh =
  ({ siteKey, now, signIn }: PasskeyEnvironment, purpose: Purpose) =>
  (challenge: string): boolean => {
    const bytes = Buffer.from(challenge, 'base64url')
    const body = bytes.subarray(0, timeLength + randomLength)
    if (body.length < timeLength + randomLength) return false
    const expected = seal(siteKey, purpose, body).toString('base64url')
    if (!isEqualInConstantTime(bytes.subarray(body.length).toString('base64url'), expected)) return false
    const age = now().getTime() - Number(body.readBigInt64BE())
    if (age < 0 || age > challengeMinutes * 60_000 || signIn.usedChallenges.has(challenge)) return false
    signIn.usedChallenges.set(challenge, true)
    return true
  }

const expectationsOf = ({ publicUrl }: Settings) => {
  const { origin, hostname } = new URL(publicUrl)
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
}

/** Returns the options of navigator.credentials.get() as JSON. The browser asks which passkey to use, so no login is needed. */
export async function passkeyRequestOptions(environment: PasskeyEnvironment): Promise<object> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: expectationsOf(environment.settings).expectedRPID,
    challenge: createChallenge(environment, 'sign in'),
    userVerification: 'required',
    timeout: challengeMinutes * 60_000,
  })
}

/** Returns the options of navigator.credentials.create() as JSON. */
export async function passkeyCreationOptions(environment: PasskeyEnvironment, userId: number): Promise<object> {
  const { db, settings } = environment
  const { generateRegistrationOptions } = await library()
  const user = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { login: true, name: true } })
  const own = await db.credential.findMany({
    where: { userId, kind: 'passkey', revokedAt: null },
    select: { hash: true },
  })
  return generateRegistrationOptions({
    rpName: settings.siteName,
    rpID: expectationsOf(settings).expectedRPID,
    userID: Uint8Array.from(Buffer.from(String(userId))),
    userName: user.login,
    userDisplayName: user.name,
    challenge: createChallenge(environment, `add to ${userId}`),
    excludeCredentials: own.map(({ hash }) => ({ id: hash })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: challengeMinutes * 60_000,
  })
}

/** Adds a passkey to the viewer. Returns false if the response of the browser is not valid. */
export async function addPasskey(
  environment: PasskeyEnvironment,
  { id, authentication }: Viewer,
  { json, name }: { readonly json: string; readonly name: string },
  origin: SignInOrigin,
): Promise<boolean> {
  const { db, settings, now } = environment
  const response = parse<RegistrationResponseJSON>(json)
  // A credential that expires must not create one that does not.
  if (!response || authentication?.expiresAt) return false
  const { verifyRegistrationResponse } = await library()
  const expectedChallenge = isFresh(environment, `add to ${id}`)
  const { registrationInfo } = await verifyRegistrationResponse({
    ...{ response, expectedChallenge },
    ...expectationsOf(settings),
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) return false
  const { credential } = registrationInfo
  const data = { userId: id, kind: 'passkey', name, hash: credential.id, createdAt: now() } as const
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  const { count } = await runInTransaction(db, actorOf(origin, id, authentication?.credential), (tx) =>
    tx.credential.createMany({ data: [{ ...data, publicKey }], skipDuplicates: true }),
  )
  return count === 1
}

/** Returns the user whose passkey signed the challenge. Throws unauthenticated, and tooManyFailuresError. */
export async function verifyPasskey(
  environment: PasskeyEnvironment,
  json: string,
  origin: SignInOrigin,
): Promise<Pick<Viewer, 'id' | 'role'>> {
  await environment.signIn.loginThrottle.check(origin)
  const user = await findUserOfPasskey(environment, json)
  if (user) return user
  await countFailedSignIn(environment, origin)
  throw unauthenticatedError()
}

async function findUserOfPasskey(environment: PasskeyEnvironment, json: string) {
  const response = parse<AuthenticationResponseJSON>(json)
  if (typeof response?.id !== 'string') return undefined
  const hash = response.id
  const stored = await environment.db.credential.findFirst({
    where: { kind: 'passkey', hash },
    select: { publicKey: true },
  })
  if (!stored?.publicKey) return undefined
  const { verifyAuthenticationResponse } = await library()
  const { verified } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: isFresh(environment, 'sign in'),
    ...expectationsOf(environment.settings),
    // Most passkeys are synchronised between devices, and do not count their uses.
    credential: { id: hash, publicKey: Uint8Array.from(Buffer.from(stored.publicKey, 'base64url')), counter: 0 },
  }).catch(() => ({ verified: false }))
  return verified ? (await findCredential(environment, 'passkey', { hash }))?.user : undefined
}

function parse<Response extends object>(json: string): Response | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as Response) : undefined
  } catch {
    return undefined
  }
}
