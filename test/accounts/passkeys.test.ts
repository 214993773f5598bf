// Who may add a passkey. test/browser/sign-in.test.ts has what people do with theirs.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
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
afterAll(async () => {
  await issuer?.stop()
  await app?.close()
})

/** What a browser sends when it has made a passkey for this challenge. */
function makePasskey(challenge: string): string {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })
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
  const id = randomBytes(16)
  const flags = 0b0100_0101
  const header = Buffer.from([flags, 0, 0, 0, 0, ...Buffer.alloc(16), 0, id.length])
  const site = createHash('sha256').update('calendar.test').digest()
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

/** Adds a passkey on the page of the account; returns the status, and how many passkeys there are then. */
async function addPasskey(headers: Record<string, string>) {
  const { body } = await app.get('/account', { headers })
  const challenge = /challenge&#34;:&#34;([\w-]+)/.exec(body)?.[1] ?? ''
  const fields = new URLSearchParams({ passkey: makePasskey(challenge) }).toString()
  const { status } = await app.send('POST', '/account', fields, headers)
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
