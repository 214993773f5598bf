// Who may add a passkey, and that each answer of a browser counts once. test/browser/sign-in.test.ts has what people do with theirs.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign as signBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { bearer, createCredential, makeUser } from '../helpers/users.ts'
import { audience, makeKey, sign, startIssuer, type TestIssuer } from './issuer.ts'

let app: TestApp
let issuer: TestIssuer
const origin = 'http://calendar.test'

beforeAll(async () => {
  const key = await makeKey('first')
  issuer = await startIssuer([key])
  app = await openTestApp({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience })
  app.clock.now = new Date()
  jwt = () => sign(key, issuer.url, { sub: 'ada' })
})
let jwt: () => Promise<string>
beforeEach(() => app.db.credential.deleteMany({ where: { kind: 'passkey' } }))
afterAll(async () => {
  await issuer?.stop()
  await app?.close()
})

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const site = createHash('sha256').update('calendar.test').digest()

/** What a browser sends when it has made a passkey for this challenge. */
function makePasskey(
  challenge: string,
  id: Buffer<ArrayBuffer>,
  { publicKey: key }: ReturnType<typeof newKeys>,
): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
  const publicKey = isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  )
  const flags = 0b0100_0101
  const header = Buffer.from([flags, 0, 0, 0, 0, ...Buffer.alloc(16), 0, id.length])
  const authData = Uint8Array.from(Buffer.concat([site, header, id, publicKey]))
  const attestation = isoCBOR.encode(
    new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]),
  )
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin }))
  const response = {
    clientDataJSON: clientData.toString('base64url'),
    attestationObject: Buffer.from(attestation).toString('base64url'),
  }
  const name = id.toString('base64url')
  return JSON.stringify({ id: name, rawId: name, type: 'public-key', response, clientExtensionResults: {} })
}

/** What a browser sends when somebody signs in with a passkey. */
function signChallenge(challenge: string, id: Buffer, privateKey: KeyObject): string {
  const authenticatorData = Buffer.concat([site, Buffer.from([0b0000_0101, 0, 0, 0, 0])])
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }))
  const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientData).digest()])
  const response = {
    clientDataJSON: clientData.toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    signature: signBytes('sha256', signed, privateKey).toString('base64url'),
  }
  const name = id.toString('base64url')
  return JSON.stringify({ id: name, rawId: name, type: 'public-key', response, clientExtensionResults: {} })
}

const challengeOf = (page: string) => /challenge&#34;:&#34;([\w-]+)/.exec(page)?.[1] ?? ''
const fields = (passkey: string) => new URLSearchParams({ passkey }).toString()

/** Adds a passkey on the page of the account; returns the status, and how many passkeys there are then. */
async function addPasskey(headers: Record<string, string>, id = randomBytes(16), keys = newKeys()) {
  const { body } = await app.get('/account', { headers })
  const { status } = await app.send('POST', '/account', fields(makePasskey(challengeOf(body), id, keys)), headers)
  return [status, await app.db.credential.count({ where: { kind: 'passkey' } })]
}

test('a session may add a passkey, and a credential that expires may not', async () => {
  const { id, authorization } = await makeUser(app.db, 'editor')
  const expiresAt = new Date(app.clock.now.getTime() + 3_600_000)
  const brief = bearer(await createCredential(app.db, id, 'api_token', { expiresAt }))
  expect(await addPasskey({ authorization: brief })).toEqual([422, 0])
  expect(await addPasskey({ authorization: bearer(await jwt()) })).toEqual([422, 0])
  expect(await addPasskey({ authorization })).toEqual([303, 1])
  expect(await addPasskey({ cookie: `session=${await createCredential(app.db, id, 'session')}` })).toEqual([303, 2])
})

test('a token of the issuer neither sets a password nor creates a link', async () => {
  const { id } = await makeUser(app.db, 'editor')
  const ada = app.as({ authorization: bearer(await jwt()) })
  await ada.graphql('{ viewer { login } }')
  await app.db.user.updateMany({ where: { oidcSubject: 'ada' }, data: { role: 'administrator' } })
  const { body } = await ada.graphql(
    `mutation ($id: ID!) {
      password: changePassword(input: { newPassword: "battery staple" }) { userErrors { code } }
      link: createSignInLink(input: { userId: $id }) { url userErrors { code } } }`,
    { id },
  )
  expect(body.data).toEqual({
    password: { userErrors: [{ code: 'FORBIDDEN' }] },
    link: { url: null, userErrors: [{ code: 'FORBIDDEN' }] },
  })
})

test('an answer to a challenge signs in once, whichever process gets it, and also at the same time', async () => {
  const other = await serve(app)
  other.clock.now = app.clock.now
  const { authorization } = await makeUser(app.db, 'editor')
  const [id, keys] = [randomBytes(16), newKeys()]
  expect((await addPasskey({ authorization }, id, keys))[0]).toBe(303)
  const signIn = (instance: TestApp, passkey: string) => instance.send('POST', '/sign-in', fields(passkey))
  const statusesOf = async (instances: readonly TestApp[]) => {
    const passkey = signChallenge(challengeOf((await app.get('/sign-in')).body), id, keys.privateKey)
    const replies = await Promise.all(instances.map((instance) => signIn(instance, passkey)))
    return [...replies, await signIn(other, passkey)].map(({ status }) => status).sort()
  }
  expect(await statusesOf([app])).toEqual([303, 403])
  expect(await statusesOf([app, other, app, other])).toEqual([303, 403, 403, 403, 403])
  await other.app.close()
})
