// Passkeys (WebAuthn): the browser keeps a private key, and signs a challenge of the service with it.
import { createHmac, randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Settings } from '../../basics/env.ts'
import { parseJson } from '../../basics/parse-json.ts'
import { runInTransaction } from '../../engine/postgres/transaction.ts'
import { findCredential } from '../auth/credentials.ts'
import type { Viewer } from '../auth/permissions.ts'
import { hashSecret, isEqualInConstantTime } from '../auth/secrets.ts'
import { actorOf, type SignInOrigin } from '../auth/sessions.ts'
import type { Environment } from '../context.ts'

/** Imports the library when the first passkey is used, so that the service starts faster. */
const library = () => import('@simplewebauthn/server')

/** Minutes for which a challenge is valid. */
const challengeMinutes = 30

/** What a challenge is for: signing in, or adding a passkey to a user. */
type Purpose = 'sign in' | `add to ${number}`

const [timeLength, randomLength] = [8, 16]

/** A secret of the site signs challenges: they need no table, which strangers could fill. */
const seal = async ({ site }: Environment, purpose: Purpose, body: Buffer) =>
  createHmac('sha256', (await site).passwordSalt)
    .update(`passkey ${purpose} `)
    .update(body)
    .digest()

async function createChallenge(environment: Environment, purpose: Purpose) {
  const time = Buffer.alloc(timeLength)
  time.writeBigInt64BE(BigInt(environment.now().getTime()))
  const body = Buffer.concat([time, randomBytes(randomLength)])
  return Uint8Array.from(Buffer.concat([body, await seal(environment, purpose, body)]))
}

/** Whether this service issued the challenge for the purpose, and the challenge has not expired. */
async function isValidChallenge(environment: Environment, purpose: Purpose, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  const body = bytes.subarray(0, timeLength + randomLength)
  if (body.length < timeLength + randomLength) return false
  const expected = (await seal(environment, purpose, body)).toString('base64url')
  if (!isEqualInConstantTime(bytes.subarray(body.length).toString('base64url'), expected)) return false
  const age = environment.now().getTime() - Number(body.readBigInt64BE())
  return age >= 0 && age <= challengeMinutes * 60_000
}

/** Marks a challenge as used, in the database for all processes. Returns false if it was used before. */
async function useChallenge({ db, now }: Environment, challenge: string): Promise<boolean> {
  const key = hashSecret(`passkey ${challenge}`)
  const expire = BigInt(now().getTime() + challengeMinutes * 60_000)
  const { count } = await db.rateLimit.createMany({ data: [{ key, points: 1, expire }], skipDuplicates: true })
  return count === 1
}

const expectationsOf = ({ publicUrl }: Settings) => {
  const { origin, hostname } = new URL(publicUrl)
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }
}

/** Returns the options of navigator.credentials.get() as JSON. The browser asks which passkey to use, so no login is needed. */
export async function passkeyRequestOptions(environment: Environment): Promise<object> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: expectationsOf(environment.settings).expectedRPID,
    challenge: await createChallenge(environment, 'sign in'),
    userVerification: 'required',
    timeout: challengeMinutes * 60_000,
  })
}

/** Returns the options of navigator.credentials.create() as JSON. */
export async function passkeyCreationOptions(environment: Environment, userId: number): Promise<object> {
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
    challenge: await createChallenge(environment, `add to ${userId}`),
    excludeCredentials: own.map(({ hash }) => ({ id: hash })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: challengeMinutes * 60_000,
  })
}

/** Adds a passkey to the viewer. `name` says which browser has it. Returns false if the response of the browser is not valid. */
export async function addPasskey(
  environment: Environment,
  { id, authentication }: Viewer,
  json: string,
  name: string,
  origin: SignInOrigin,
): Promise<boolean> {
  const { db, settings, now } = environment
  const response = parseJson(json) as RegistrationResponseJSON | null | undefined
  // Passkeys do not expire, so a credential that expires must not add one.
  if (!response || authentication?.expiresAt) return false
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => isValidChallenge(environment, `add to ${id}`, challenge),
    ...expectationsOf(settings),
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) return false
  const { credential } = registrationInfo
  const data = { userId: id, kind: 'passkey', name, hash: credential.id, createdAt: now() } as const
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  // A replayed response adds nothing, because its passkey is stored already.
  const { count } = await runInTransaction(db, actorOf(origin, id, authentication?.credential), (tx) =>
    tx.credential.createMany({ data: [{ ...data, publicKey }], skipDuplicates: true }),
  )
  return count === 1
}

/** Returns the user whose passkey signed a challenge; undefined if the response of the browser is not valid or is a replay. */
export async function findUserOfPasskey(environment: Environment, json: string): Promise<Viewer | undefined> {
  const response = parseJson(json) as AuthenticationResponseJSON | null | undefined
  if (typeof response?.id !== 'string') return undefined
  const hash = response.id
  const stored = await environment.db.credential.findFirst({
    where: { kind: 'passkey', hash },
    select: { publicKey: true },
  })
  if (!stored?.publicKey) return undefined
  const { verifyAuthenticationResponse } = await library()
  let signed = ''
  const { verified } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => {
      signed = challenge
      return isValidChallenge(environment, 'sign in', challenge)
    },
    ...expectationsOf(environment.settings),
    // Signature counters are not compared: that of a passkey that is synced between devices stays 0.
    credential: { id: hash, publicKey: Uint8Array.from(Buffer.from(stored.publicKey, 'base64url')), counter: 0 },
  }).catch(() => ({ verified: false }))
  if (!verified || !(await useChallenge(environment, signed))) return undefined
  return (await findCredential(environment, 'passkey', { hash }))?.user
}
