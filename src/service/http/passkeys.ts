// Passkeys (WebAuthn): the browser keeps a private key, and signs a challenge of the service with it.
import { createHmac, randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { unauthenticatedError } from '../../basics/errors.ts'
import { parseJson } from '../../basics/parse-json.ts'
import { runInTransaction } from '../../engine/postgres/transaction.ts'
import { findCredential } from '../auth/credentials.ts'
import type { Viewer } from '../auth/permissions.ts'
import { isEqualInConstantTime } from '../auth/secrets.ts'
import { actorOf } from '../auth/sessions.ts'
import { countFailedSignIn } from '../auth/sign-in.ts'
import type { Environment } from '../context.ts'
import { deviceOf, originOf, startSession } from './sessions.ts'

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

/** Returns the verifier of challenges: this service issued the challenge for the purpose, it is still valid, and it was not used before. */
const challengeVerifier =
  (environment: Environment, purpose: Purpose) =>
  async (challenge: string): Promise<boolean> => {
    const { now, signIn } = environment
    const bytes = Buffer.from(challenge, 'base64url')
    const body = bytes.subarray(0, timeLength + randomLength)
    if (body.length < timeLength + randomLength) return false
    const expected = (await seal(environment, purpose, body)).toString('base64url')
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

/** Adds a passkey to the viewer, with the browser as name. Returns false if the response of the browser is not valid. */
export async function addPasskey(
  environment: Environment,
  request: FastifyRequest,
  { id, authentication }: Viewer,
  json: string,
): Promise<boolean> {
  const { db, settings, now } = environment
  const response = parseJson(json) as RegistrationResponseJSON | null | undefined
  // Passkeys do not expire, so a credential that expires must not add one.
  if (!response || authentication?.expiresAt) return false
  const { verifyRegistrationResponse } = await library()
  const expectedChallenge = challengeVerifier(environment, `add to ${id}`)
  const { registrationInfo } = await verifyRegistrationResponse({
    ...{ response, expectedChallenge },
    ...expectationsOf(settings),
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) return false
  const { credential } = registrationInfo
  const data = { userId: id, kind: 'passkey', name: deviceOf(request), hash: credential.id, createdAt: now() } as const
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  const { count } = await runInTransaction(db, actorOf(originOf(request), id, authentication?.credential), (tx) =>
    tx.credential.createMany({ data: [{ ...data, publicKey }], skipDuplicates: true }),
  )
  return count === 1
}

/** Signs in with a passkey and sets the cookies. Throws unauthenticated, and tooManyFailuresError. */
export async function signInByPasskey(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): Promise<void> {
  const origin = originOf(request)
  await environment.signIn.loginThrottle.check(origin)
  const user = await findUserOfPasskey(environment, json)
  if (user) return startSession(environment, request, reply, user)
  await countFailedSignIn(environment, origin)
  throw unauthenticatedError()
}

async function findUserOfPasskey(environment: Environment, json: string) {
  const response = parseJson(json) as AuthenticationResponseJSON | null | undefined
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
    expectedChallenge: challengeVerifier(environment, 'sign in'),
    ...expectationsOf(environment.settings),
    // Signature counters are not compared: that of a passkey that is synced between devices stays 0.
    credential: { id: hash, publicKey: Uint8Array.from(Buffer.from(stored.publicKey, 'base64url')), counter: 0 },
  }).catch(() => ({ verified: false }))
  return verified ? (await findCredential(environment, 'passkey', { hash }))?.user : undefined
}
