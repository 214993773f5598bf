// The pages for proposals work without scripts, in each language, and show nothing of a stranger as HTML.
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent } from '../helpers/make.ts'
import { encodeProof, proposed, send, solve, tokenOf } from '../helpers/proposals.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ TRUST_PROXY: 'on' })
})
beforeEach(() => truncate(app.db))
afterAll(() => app?.close())

const form = (values: Record<string, string>) => new URLSearchParams(values).toString()
const hidden = (body: string, name: string) =>
  decodeHTML(new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '')

/** Sends the form as a browser without scripts, long after it was opened. */
async function submit(values: Record<string, string>, path = '/en/propose', client: ApiClient = app) {
  const { body } = await client.get(path)
  app.clock.now = new Date(app.clock.now.getTime() + 30_000)
  return client.send('POST', path, form({ proof: hidden(body, 'proof'), ...values }))
}

const values = { title: 'Village fair', startsLocal: '2026-12-05T10:00', venueName: 'Market square' }

test.each([
  ['/en/propose', 'Suggest an event', 'Town'],
  ['/fr/propose', 'Proposer un événement', 'Ville'],
  ['/es/propose', 'Proponer un evento', 'Localidad'],
])('%s is a form that nothing caches or indexes', async (path, title, label) => {
  const { status, headers, body } = await app.get(path)
  expect(status).toBe(200)
  expect(body).toContain(`<h1>${title}</h1>`)
  expect(body).toContain(label)
  expect(body).toContain('noindex')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['content-security-policy']).toContain("script-src 'self'")
})

test('without a script, a proposal is sent, and its page shows the answer and takes a change', async () => {
  const editor = await app.signIn('editor')
  const sent = await submit({ ...values, message: 'Hello', contactEmail: 'ada@example.org' }, '/fr/propose')
  expect(sent.status).toBe(303)
  const url = new URL(sent.headers.location ?? '')
  const own = `${url.pathname}${url.search}`
  expect(own).toMatch(/^\/fr\/propose\/sent\?token=/)
  expect((await app.get(own)).body).toContain('La rédaction n’a pas encore décidé.')
  const { body } = await editor.graphql('{ proposals { nodes { id language proposed { title startsLocal } } } }')
  const [proposal] = body.data.proposals.nodes
  expect(proposal).toMatchObject({
    language: 'FR',
    proposed: { title: 'Village fair', startsLocal: '2026-12-05T10:00:00' },
  })
  await send(editor, 'askAboutProposal', { proposalId: proposal.id, reply: 'Which <b>square</b>?' })
  const asked = (await app.get(own)).body
  expect(decodeHTML(asked)).toContain('Which <b>square</b>?')
  expect(asked).not.toContain('<b>square')
  const changed = await app.send(
    'POST',
    '/fr/propose/sent',
    form({ token: hidden(asked, 'token'), title: 'Fair', venueName: 'Old square' }),
  )
  expect(changed.status).toBe(303)
  const again = await editor.graphql('{ proposals { nodes { state proposed { title venueName startsLocal } } } }')
  expect(again.body.data.proposals.nodes).toEqual([
    { state: 'PENDING', proposed: { title: 'Fair', venueName: 'Old square', startsLocal: '2026-12-05T10:00:00' } },
  ])
})

test('too soon without a solution is a problem in words, and the solution of the script is accepted at once', async () => {
  const { body } = await app.get('/en/propose')
  const proof = hidden(body, 'proof')
  const early = await app.send('POST', '/en/propose', form({ ...values, proof }))
  expect(early.status).toBe(422)
  expect(early.body).toContain('Please wait 20 seconds')
  expect(early.body).toContain('value="Market square"')
  const { challenge } = JSON.parse(Buffer.from(proof, 'base64').toString())
  const solution = await solveChallenge({ challenge, deriveKey })
  const solved = await app.send('POST', '/en/propose', form({ ...values, proof: encodeProof({ challenge, solution }) }))
  expect(solved.status).toBe(303)
})

test('a website needs no scheme', async () => {
  expect((await submit({ ...values, website: 'www.example.org/fair' })).status).toBe(303)
  const { body } = await (await app.signIn('editor')).graphql('{ proposals { nodes { proposed { website } } } }')
  expect(body.data.proposals.nodes).toEqual([{ proposed: { website: 'https://www.example.org/fair' } }])
})

test.each([
  ['en', 'Please check: Website, Your email address.', 'Write a web address such as https://example.org'],
  [
    'fr',
    'Veuillez vérifier\u00a0: Site web, Votre adresse e-mail.',
    'Indiquez une adresse web comme https://example.org',
  ],
  ['es', 'Revise: Sitio web, Su correo electrónico.', 'Escriba una dirección web como https://example.org'],
])(
  'wrong values are named in %s, each with what would be right, and the first one has the focus',
  async (language, summary, right) => {
    const wrong = { website: 'our site', contactEmail: 'ada' }
    const { status, body } = await submit({ ...values, ...wrong }, `/${language}/propose`)
    expect(status).toBe(422)
    expect(body).toContain(`<p class="problem" role="alert">${summary}</p>`)
    const fieldOf = (name: string) => new RegExp(`<input name="${name}"[^>]*>`).exec(body)?.[0] ?? ''
    const helpOf = (name: string) => new RegExp(`<small id="${name}-right">([^<]*)`).exec(body)?.[1]
    for (const name of Object.keys(wrong))
      expect(fieldOf(name)).toContain(`aria-invalid="true" aria-describedby="${name}-right"`)
    expect(helpOf('website')).toContain(right)
    expect(body.match(/autofocus/g)).toHaveLength(1)
    expect(fieldOf('website')).toContain('autofocus')
    expect(fieldOf('title')).not.toContain('aria-invalid')
  },
)

test('a wrong time is named, and not the one that is right', async () => {
  for (const endsLocal of ['noon', '2027-02-31T10:00']) {
    const { status, body } = await submit({ ...values, endsLocal })
    expect([status, body]).toEqual([422, expect.stringContaining('Please check: End.')])
  }
  const early = await submit({ ...values, endsLocal: '2026-12-04T10:00' })
  expect(early.body).toContain('Choose a day and a time that is not before the start')
  expect((await submit({ ...values, startsLocal: '' })).body).toContain('Please check: Start.')
})

test('similar events are shown first, and the same form sent again is accepted', async () => {
  await makeEvent(app.db, 'Village fairs', { start: '2026-12-05T11:00:00' })
  const shown = await submit(values)
  expect(shown.status).toBe(422)
  expect(shown.body).toContain('Village fairs')
  app.clock.now = new Date(app.clock.now.getTime() + 30_000)
  const fields = { ...values, proof: hidden(shown.body, 'proof'), confirmed: hidden(shown.body, 'confirmed') }
  expect((await app.send('POST', '/en/propose', form(fields))).status).toBe(303)
})

test('pages link to the form if the setting is on, and a correction begins with what is published', async () => {
  const event = await makeEvent(app.db, { en: { name: 'Concert', slug: 'concert' } })
  expect((await app.get('/en/')).body).toContain('href="/en/propose"')
  expect(decodeHTML((await app.get('/event/concert/')).body)).toContain(`href="/en/propose?event=${event}"`)
  const path = `/en/propose?event=${event}`
  const { body } = await app.get(path)
  expect(body).toContain('value="Concert"')
  expect(decodeHTML(body)).toContain(`href="http://calendar.test/fr/propose?event=${event}"`)
  const unchanged = await submit({ title: 'Concert', event: String(event) }, path)
  expect(unchanged.body).toContain('Nothing was changed.')
  expect((await submit({ title: 'Concerts', event: String(event) }, path)).status).toBe(303)
  const draft = await makeEvent(app.db, { en: { name: 'Hidden draft', slug: 'hidden' } }, { status: 'draft' })
  expect((await app.get(`/en/propose?event=${draft}`)).body).not.toContain('Hidden draft')
})

test('a correction of which a browser sends all fields has only what the visitor changed', async () => {
  const id = await makeEvent(
    app.db,
    { en: { name: 'Fair & market' } },
    { start: '2026-12-05T00:00:00', end: '2026-12-06T23:59:59', allDay: true, cost: ['12', '8.50'] },
  )
  const path = `/en/propose?event=${id}`
  const { body } = await app.get(path)
  const sent = [...body.matchAll(/<input name="(\w+)"[^>]* value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    decodeHTML(value),
  ])
  expect(body).toMatch(/<input name="endsLocal"[^>]* value="2026-12-06T23:59:59" step="1"/)
  expect(body).toMatch(/<input name="startsLocal"[^>]* value="2026-12-05T00:00"(?! step)/)
  const unchanged = await submit({ ...Object.fromEntries(sent), event: String(id) }, path)
  expect(unchanged.body).toContain('Nothing was changed.')
})

const script = '"><script>alert(1)</script>'

test('a change that comes after the decision is refused with this reason', async () => {
  const { proposal, editUrl } = await send(app, 'proposeEvent', { ...proposed, proof: await solve(app) })
  await send(await app.signIn('editor'), 'declineProposal', { proposalId: proposal?.id, reply: 'Twice.' })
  const change = form({ token: tokenOf({ editUrl }), title: 'Again' })
  const { body } = await app.send('POST', '/fr/propose/sent', change)
  expect(body).toContain('La rédaction a déjà tranché sur cette proposition.')
})

test('no field of a stranger becomes HTML', async () => {
  const names = ['title', 'description', 'venueName', 'address', 'city', 'organizerName', 'website', 'cost', 'message']
  const all = Object.fromEntries(
    [...names, 'contactName', 'contactEmail', 'proof', 'event'].map((name) => [name, script]),
  )
  const refused = await app.send('POST', '/en/propose', form({ ...all, startsLocal: script, endsLocal: script }))
  expect(refused.status).toBeGreaterThanOrEqual(400)
  expect(refused.body).not.toContain('<script>alert')
  const sent = await submit({
    ...all,
    ...{ event: '', website: '', contactEmail: '' },
    startsLocal: '2026-12-05T10:00',
    proof: '',
  })
  expect(sent.body).not.toContain('<script>alert')
  const { proof: _, event: __, ...others } = all
  const stored = await submit({
    ...others,
    website: 'https://example.org/',
    contactEmail: '',
    startsLocal: '2026-12-05T10:00',
  })
  expect(stored.status).toBe(303)
  const url = new URL(stored.headers.location ?? '')
  expect((await app.get(`${url.pathname}${url.search}`)).body).not.toContain('<script>alert')
  expect((await app.get(`/en/propose/sent?token=${encodeURIComponent(script)}`)).body).not.toContain('<script>alert')
})

test('a form of another site is refused, and the limit is said in words', async () => {
  const foreign = await app.send('POST', '/en/propose', form(values), { origin: 'https://evil.test' })
  expect(foreign.status).toBe(403)
  for (let n = 0; n < 5; n++) expect((await submit({ ...values, title: `Fair ${n}` })).status).toBe(303)
  const sixth = await submit({ ...values, title: 'Another' })
  expect([sixth.status, sixth.body.includes('have sent many suggestions')]).toEqual([422, true])
})
