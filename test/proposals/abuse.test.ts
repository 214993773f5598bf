// Bots, replays and guesses: what stops them, and what the queue holds at most.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { encodeProof, proposed, requestChallenge, send, solve } from '../helpers/proposals.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ TRUST_PROXY: 'on' })
})
beforeEach(() => truncate(app.db))
afterAll(() => app?.close())

/** A client with an address of its own. */
function visitor(number: number): TestApp {
  const headers = { 'x-forwarded-for': `198.51.${number >> 8}.${number & 255}` }
  return {
    ...app,
    graphql: (query, variables, root, more) => app.graphql(query, variables, root, { ...headers, ...more }),
  }
}

const propose = async (proof: string, input: object = {}, client = app) =>
  (await send(client, 'proposeEvent', { ...proposed, ...input, proof })).userErrors.map(({ message }) => message)

/** An unsolved challenge that is old enough: solving one takes much longer than all else. */
async function wait(): Promise<string> {
  const challenge = await requestChallenge(app)
  app.clock.now = new Date(app.clock.now.getTime() + 21_000)
  return encodeProof({ challenge })
}

test('a challenge is used once, even at the same time', async () => {
  const proof = await solve(app)
  const results = await Promise.all([1, 2, 3].map(() => propose(proof)))
  expect(results.filter((errors) => errors.length === 0)).toHaveLength(1)
  expect(await propose(proof)).toEqual(['The challenge was used already. Ask for a new one.'])
  expect(await app.db.proposal.count()).toBe(1)
})

test('a forged, changed, old or unsolved challenge is refused', async () => {
  const challenge = await requestChallenge(app)
  const issuedAt = app.clock.now.getTime() - 60_000
  const forged = { ...challenge.parameters, data: { issuedAt } }
  const solution = { counter: 1, derivedKey: '00'.repeat(32) }
  const ofThisSite = ['proof must have a challenge of this site.']
  expect(await propose(encodeProof({ challenge: { ...challenge, parameters: forged } }))).toEqual(ofThisSite)
  expect(await propose(encodeProof({ challenge: { parameters: forged } }))).toEqual(ofThisSite)
  expect(await propose(encodeProof({ challenge: { parameters: { ...forged, expiresAt: 1 } } }))).toEqual(ofThisSite)
  expect(
    await propose(
      encodeProof({ challenge: { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '' } }, solution }),
    ),
  ).toEqual(ofThisSite)
  expect(await propose(encodeProof({ challenge, solution }))).toEqual([
    'proof must have the solution of its challenge.',
  ])
  for (const text of [
    '',
    'x',
    encodeProof([]),
    encodeProof({ challenge: null }),
    encodeProof({ challenge: { parameters: 1 } }),
  ]) {
    expect(await propose(text)).toEqual(['proof must be base64 of {"challenge": …, "solution": …}.'])
  }
  const solved = await solve(app)
  app.clock.now = new Date(app.clock.now.getTime() + 3 * 3_600_000)
  expect(await propose(solved)).toEqual(['The challenge is too old. Ask for a new one.'])
  expect(await app.db.proposal.count()).toBe(0)
})

test('without a solution, a proposal takes 20 seconds, and the site accepts ten in an hour', async () => {
  const proofs = await Promise.all(
    Array.from({ length: 12 }, async () => encodeProof({ challenge: await requestChallenge(app) })),
  )
  expect(await propose(proofs[0] ?? '')).toEqual([expect.stringMatching(/in \d+ seconds/)])
  app.clock.now = new Date(app.clock.now.getTime() + 21_000)
  for (const [index, proof] of proofs.slice(0, 10).entries())
    expect(await propose(proof, {}, visitor(index))).toEqual([])
  await expect(propose(proofs[10] ?? '', {}, visitor(50))).rejects.toThrow('TOO_MANY_REQUESTS')
  expect(await propose(await solve(app), {}, visitor(50))).toEqual([])
})

test('a network sends five in an hour, and the queue has a limit whatever the number of networks', async () => {
  for (let n = 0; n < 5; n++) expect(await propose(await wait(), {}, visitor(1))).toEqual([])
  await expect(propose(await wait(), {}, visitor(1))).rejects.toThrow('TOO_MANY_REQUESTS')
  expect(await propose(await wait(), {}, visitor(2))).toEqual([])
  await app.db.$executeRaw`
    INSERT INTO proposal (kind, language, proposed, token_hash, challenge, unproven, created_at, modified_at)
    SELECT 'event', 'en', '{}', n, n, false, ${app.clock.now}::timestamptz, now() FROM generate_series(1, 194) n`
  await expect(propose(await wait(), {}, visitor(3))).rejects.toThrow('TOO_MANY_REQUESTS')
  app.clock.now = new Date(app.clock.now.getTime() + 25 * 3_600_000)
  expect(await propose(await wait(), {}, visitor(3))).toEqual([])
  await app.db.$executeRaw`
    INSERT INTO proposal (kind, language, proposed, token_hash, challenge, unproven, created_at, modified_at)
    SELECT 'event', 'en', '{}', 'o' || n, 'o' || n, false, now() - interval '1 year', now() FROM generate_series(1, 300) n`
  await expect(propose(await wait(), {}, visitor(4))).rejects.toThrow('TOO_MANY_REQUESTS')
})

test('a network of IPv6 is a /48', async () => {
  const from = (address: string) =>
    ({
      ...app,
      graphql: (query, variables) => app.graphql(query, variables, '', { 'x-forwarded-for': address }),
    }) satisfies TestApp
  for (let n = 0; n < 5; n++) expect(await propose(await wait(), {}, from(`2001:db8:1:${n}::1`))).toEqual([])
  await expect(propose(await wait(), {}, from('2001:db8:1:6::1'))).rejects.toThrow('TOO_MANY_REQUESTS')
  expect(await propose(await wait(), {}, from('2001:db8:2::1'))).toEqual([])
})

test('a network sends 20 in a day, and 10 that wait for a decision', async () => {
  const later = (hours: number) => {
    app.clock.now = new Date(app.clock.now.getTime() + hours * 3_600_000)
  }
  const sendFive = async () => {
    for (let n = 0; n < 5; n++) expect(await propose(await wait(), {}, visitor(1))).toEqual([])
    later(1)
  }
  const decide = () => app.db.proposal.updateMany({ data: { state: 'declined' } })
  const sendOneTooMany = async () => expect(propose(await wait(), {}, visitor(1))).rejects.toThrow('TOO_MANY_REQUESTS')
  for (let round = 0; round < 2; round++) await sendFive()
  await sendOneTooMany()
  expect(await propose(await wait(), {}, visitor(2))).toEqual([])
  await decide()
  for (let round = 0; round < 2; round++) await sendFive()
  await decide()
  await sendOneTooMany()
  later(24)
  expect(await propose(await wait(), {}, visitor(1))).toEqual([])
})

test('a bot that fills in the hidden field is told that it succeeded, and nothing is stored', async () => {
  const result = await send(app, 'proposeEvent', { ...proposed, homepage: 'https://spam.test', proof: '' })
  expect(result).toMatchObject({ userErrors: [], editUrl: expect.stringContaining('/propose/') })
  expect(await app.db.proposal.count()).toBe(0)
})

test('100 bots with the same proof fill the queue with one proposal', async () => {
  const proof = await solve(app)
  const attempts = Array.from({ length: 100 }, (_, index) => propose(proof, {}, visitor(index)))
  const results = await Promise.all(attempts)
  expect(results.filter((errors) => errors.length === 0)).toHaveLength(1)
  expect(await app.db.proposal.count()).toBe(1)
})

test('long, empty and impossible values are refused together', async () => {
  const input = {
    ...{ title: ' ', startsLocal: '2026-12-05T10:00:00', endsLocal: '2026-12-05T09:00:00', venueName: 'x'.repeat(201) },
    ...{
      description: 'x'.repeat(5001),
      website: 'javascript:alert(1)',
      contactEmail: 'nobody',
      message: 'x'.repeat(2001),
    },
    proof: '',
  }
  const { userErrors } = await send(app, 'proposeEvent', input)
  expect(userErrors.map(({ path }) => path.join('.')).toSorted()).toEqual(
    ['contactEmail', 'description', 'endsLocal', 'message', 'title', 'venueName', 'website'].toSorted(),
  )
})

test('with PROPOSALS=off, nothing is accepted', async () => {
  const closed = await serve(app, { PROPOSALS: 'off' })
  try {
    const { userErrors } = await send(closed, 'proposeEvent', { ...proposed, proof: await solve(app) })
    expect(userErrors).toMatchObject([{ code: 'FORBIDDEN' }])
    expect(
      (await closed.graphql('mutation { createProposalChallenge { challenge } }')).body.errors[0].extensions.code,
    ).toBe('FORBIDDEN')
  } finally {
    await closed.app.close()
  }
})
