// What visitors propose, what editors make of it, and who sees it meanwhile.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteOldRows } from '../../src/calendar/audit/retention.ts'
import { type ApiClient, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeOrganizer, makeSeries, makeVenue } from '../helpers/make.ts'
import { proposed, send, solve, tokenOf } from '../helpers/proposals.ts'
import { startMailServer } from '../helpers/smtp.ts'

let app: TestApp
let editor: ApiClient & { readonly id: number }

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  await truncate(app.db)
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const sender = { contactName: 'Ada', contactEmail: 'ada@example.org', message: 'Please add it.' }
const propose = async (input: object = {}, root = '') =>
  send(app, 'proposeEvent', { ...proposed, ...sender, proof: await solve(app), ...input }, root)

async function queue(client: ApiClient = editor, states = '') {
  const { body } = await client.graphql(
    `{ proposals(first: 50${states}) { totalCount nodes { id state proposed { title } } } }`,
  )
  return body.errors ? body.errors[0].extensions.code : body.data.proposals.nodes
}

test('a proposed event is invisible to all but editors, until one accepts it with a place of the same name', async () => {
  const venue = await makeVenue(app.db, 'Market square')
  const { proposal, editUrl } = await propose({ description: 'Cakes & <b>more</b>', cost: 'Free' })
  expect(proposal).toMatchObject({ state: 'PENDING', kind: 'EVENT', event: null, contactEmail: 'ada@example.org' })
  expect(editUrl).toMatch(/^http:\/\/calendar\.test\/en\/propose\/sent\?token=\w{43}$/)
  expect((await app.graphql('{ events { totalCount } }')).body.data.events.totalCount).toBe(0)
  expect(await queue(app)).toBe('UNAUTHENTICATED')
  expect(await queue(await app.signIn('author'))).toBe('FORBIDDEN')
  expect(await queue()).toHaveLength(1)
  const accepted = await send(editor, 'acceptProposal', { proposalId: proposal?.id })
  expect(accepted).toMatchObject({ proposal: { state: 'ACCEPTED', event: { title: 'Village fair' } }, userErrors: [] })
  const { body } = await app.graphql(
    '{ events { nodes { title startsLocal endsLocal timeZone description costEntries venues { databaseId } } } }',
  )
  expect(body.data.events.nodes).toMatchObject([
    {
      ...{ title: 'Village fair', startsLocal: '2026-12-05T10:00:00', endsLocal: '2026-12-05T10:00:00' },
      ...{ description: 'Cakes &amp; &lt;b&gt;more&lt;/b&gt;', venues: [{ databaseId: venue }] },
    },
  ])
  expect(await queue()).toEqual([])
  expect((await send(editor, 'declineProposal', { proposalId: proposal?.id, reply: 'No' })).userErrors).toMatchObject([
    { code: 'CONFLICT' },
  ])
})

test('texts are in the language of the proposal, and an editor may take over a draft with another place', async () => {
  const venue = await makeVenue(app.db, 'Other')
  const { proposal } = await propose({ title: 'Fête' }, '/fr')
  await send(editor, 'acceptProposal', {
    proposalId: proposal?.id,
    status: 'DRAFT',
    venueId: String(venue),
    fields: ['title', 'startsLocal'],
  })
  const { body } = await editor.graphql(
    '{ events(filter: { status: [DRAFT] }) { nodes { languages { tag } title venues { databaseId } } } }',
  )
  expect(body.data.events.nodes).toEqual([{ languages: { tag: 'fr' }, title: 'Fête', venues: [{ databaseId: venue }] }])
})

test('a correction has what differs from the event, and accepting it changes these fields only', async () => {
  const event = await makeEvent(app.db, 'Concert')
  const input = {
    ...sender,
    eventId: String(event),
    title: 'Concert',
    website: 'https://example.org/',
    endsLocal: '2027-01-01T10:00:00',
  }
  const { proposal } = await send(app, 'proposeChange', { ...input, proof: await solve(app) })
  expect(proposal).toMatchObject({
    kind: 'CHANGE',
    event: { databaseId: event },
    proposed: { title: null, website: 'https://example.org/' },
  })
  await send(editor, 'acceptProposal', { proposalId: proposal?.id, fields: ['website'] })
  const { body } = await app.graphql(`{ event(id: ${event}) { title website endsLocal revisions { totalCount } } }`)
  expect(body.data.event).toMatchObject({ title: 'Concert', website: 'https://example.org/' })
  expect(body.data.event.endsLocal).not.toBe('2027-01-01T10:00:00')
  const nothing = await send(app, 'proposeChange', {
    eventId: String(event),
    title: 'Concert',
    proof: await solve(app),
  })
  expect(nothing.userErrors).toMatchObject([{ code: 'BAD_INPUT', path: ['message'] }])
})

test('a corrected place or organizer replaces the first one, which visitors correct, and the others stay', async () => {
  const [square, pier] = [await makeVenue(app.db, 'Market squere'), await makeVenue(app.db, 'Pier')]
  const [club, choir] = [await makeOrganizer(app.db, 'Jazz clubb'), await makeOrganizer(app.db, 'Choir')]
  const links = { venueIds: [square, pier], organizerIds: [club, choir] }
  const event = await makeEvent(app.db, 'Concert', links)
  const { dates } = await makeSeries(app.db, 'Course', links)
  const names = '{ venues { name } organizers { name } }'
  for (const id of [event, dates[0]]) {
    const input = { eventId: String(id), venueName: 'Market square', organizerName: 'Jazz club' }
    const { proposal } = await send(app, 'proposeChange', { ...input, proof: await solve(app) })
    await send(editor, 'acceptProposal', { proposalId: proposal?.id, scope: id === event ? null : 'ALL' })
    expect((await app.graphql(`{ event(id: ${id}) ${names} }`)).body.data.event).toEqual({
      venues: [{ name: 'Market square' }, { name: 'Pier' }],
      organizers: [{ name: 'Jazz club' }, { name: 'Choir' }],
    })
  }
  const { proposal } = await send(app, 'proposeChange', {
    ...{ eventId: String(event), venueName: 'Pier', organizerName: 'Choir', proof: await solve(app) },
  })
  await send(editor, 'acceptProposal', { proposalId: proposal?.id })
  expect((await app.graphql(`{ event(id: ${event}) ${names} }`)).body.data.event).toEqual({
    venues: [{ name: 'Pier' }],
    organizers: [{ name: 'Choir' }],
  })
})

test('a corrected address is that of the place that visitors see first', async () => {
  const [draft, hall] = [
    await makeVenue(app.db, 'Draft', { status: 'draft' }),
    await makeVenue(app.db, 'Hall', { address: 'Quay 1', city: 'Ghent' }),
  ]
  const event = await makeEvent(app.db, 'Concert', { venueIds: [draft, hall] })
  const correct = async (values: object, id = event) =>
    send(app, 'proposeChange', { eventId: String(id), ...values, proof: await solve(app) })
  expect((await correct({ venueName: 'Hall' })).userErrors).toMatchObject([{ path: ['message'] }])
  expect((await correct({ address: '', city: '' })).userErrors).toMatchObject([{ path: ['message'] }])
  const { proposal } = await correct({ venueName: 'Hall', city: 'Gent' })
  await send(editor, 'acceptProposal', { proposalId: proposal?.id })
  const read = async () =>
    (await editor.graphql(`{ event(id: ${event}) { venues { name address city } } }`)).body.data.event.venues
  expect(await read()).toMatchObject([{ name: 'Draft' }, { name: 'Hall', address: 'Quay 1', city: 'Gent' }])
  const other = await correct({ venueName: 'Theatre', city: 'Liège' })
  const proposalId = other.proposal?.id
  // The city of another place is none of this one.
  const alone = await send(editor, 'acceptProposal', { proposalId, fields: ['city'] })
  expect(alone.userErrors).toMatchObject([{ path: ['fields'] }])
  await send(editor, 'acceptProposal', { proposalId })
  expect(await read()).toMatchObject([{ name: 'Theatre', city: 'Liège' }, { name: 'Draft' }])
  const nowhere = await correct({ city: 'Gent' }, await makeEvent(app.db, 'Online'))
  const refused = await send(editor, 'acceptProposal', { proposalId: nowhere.proposal?.id })
  expect(refused.userErrors).toMatchObject([{ code: 'BAD_INPUT', path: ['fields'] }])
})

test('a correction of a date of a series changes all dates, if the editor says so', async () => {
  const { id, dates } = await makeSeries(app.db, 'Course')
  const input = { eventId: String(dates[0]), title: 'Courses', proof: await solve(app) }
  const { proposal } = await send(app, 'proposeChange', input)
  await send(editor, 'acceptProposal', { proposalId: proposal?.id, scope: 'ALL' })
  const { body } = await app.graphql(`{ eventSeries(id: ${id}) { title } }`)
  expect(body.data.eventSeries.title).toBe('Courses')
})

test.each(['a draft', 'an event with a password', 'no event'])('%s cannot be corrected', async (name) => {
  const draft = await makeEvent(app.db, 'Draft', { status: 'draft' })
  const locked = await makeEvent(app.db, 'Locked', { passwordKey: 'key' })
  const eventId = String({ 'a draft': draft, 'an event with a password': locked }[name] ?? 987654)
  const { userErrors } = await send(app, 'proposeChange', { eventId, title: 'New', proof: await solve(app) })
  expect(userErrors).toMatchObject([{ message: 'There is no published event with this ID.', path: ['eventId'] }])
})

test('the sender sees the question under the edit link, and answers by a change', async () => {
  const sent = await propose()
  const [proposalId, token] = [sent.proposal?.id, tokenOf(sent)]
  await send(editor, 'askAboutProposal', { proposalId, reply: 'Which day?' })
  const read = async (by: string) => {
    const { body } = await app.graphql(
      `query ($token: String!) { proposal(token: $token) { state reply proposed { title } decidedBy { name } } }`,
      { token: by },
    )
    return body.data.proposal
  }
  expect(await read(token)).toEqual({
    state: 'ASKED',
    reply: 'Which day?',
    proposed: { title: 'Village fair' },
    decidedBy: null,
  })
  expect(await read(`${token}x`)).toBeNull()
  await send(app, 'updateProposal', { token, title: 'Sunday fair', message: 'Sunday.' })
  expect(await queue()).toMatchObject([{ state: 'PENDING', proposed: { title: 'Sunday fair' } }])
  await send(editor, 'declineProposal', { proposalId, reply: 'It is private.' })
  expect(await read(token)).toMatchObject({ state: 'DECLINED', reply: 'It is private.', decidedBy: null })
  expect((await send(app, 'updateProposal', { token, title: 'Again' })).userErrors).toMatchObject([
    { code: 'CONFLICT' },
  ])
  expect((await send(app, 'updateProposal', { token: 'unknown', title: 'Again' })).userErrors).toMatchObject([
    { path: ['token'] },
  ])
  expect(await queue(editor, ', states: [DECLINED]')).toHaveLength(1)
})

test('a repeated Idempotency-Key stores no second proposal, and returns no edit link, which is shown once', async () => {
  const author = await app.signIn('author')
  const query = `mutation ($input: ProposeEventInput!) { done: proposeEvent(input: $input) { proposal { id } editUrl } }`
  const input = { ...proposed, proof: await solve(app) }
  const sendKeyed = async () =>
    (await author.graphql(query, { input }, '', { 'idempotency-key': 'fair' })).body.data.done
  const first = await sendKeyed()
  expect(first.editUrl).toContain('token=')
  expect(await sendKeyed()).toEqual({ proposal: first.proposal, editUrl: null })
  expect(await app.db.proposal.count()).toBe(1)
})

test('only editors decide', async () => {
  const { proposal } = await propose()
  for (const client of [app, await app.signIn('author')]) {
    for (const mutation of ['acceptProposal', 'askAboutProposal', 'declineProposal']) {
      const reply = mutation === 'acceptProposal' ? {} : { reply: 'No' }
      const { userErrors } = await send(client, mutation, { proposalId: proposal?.id, ...reply })
      expect(userErrors[0]?.code).toMatch(/UNAUTHENTICATED|FORBIDDEN/)
    }
  }
  expect(await queue()).toMatchObject([{ state: 'PENDING' }])
})

test('name and address are deleted after PROPOSAL_CONTACT_DAYS, and decided proposals', async () => {
  const { proposal } = await propose()
  const decided = await propose()
  await send(editor, 'declineProposal', { proposalId: decided.proposal?.id, reply: 'Twice.' })
  const settings = { changeLogDays: 90, revisionDays: 730, proposalContactDays: 30 }
  const after = (days: number) => deleteOldRows(app.db, settings, new Date(app.clock.now.getTime() + days * 86_400_000))
  await app.db.proposal.updateMany({ data: { createdAt: new Date(app.clock.now.getTime() - 40 * 86_400_000) } })
  await after(29)
  // Decided today, so that the sender can still read the answer, although it was sent long ago.
  expect(await app.db.proposal.count()).toBe(2)
  expect(await app.db.proposalContact.count()).toBe(2)
  await after(31)
  const { body } = await editor.graphql(
    '{ proposals(states: [PENDING, DECLINED]) { nodes { id contactName contactEmail } } }',
  )
  expect(body.data.proposals.nodes).toEqual([{ id: proposal?.id, contactName: null, contactEmail: null }])
})

test('similar events are those that visitors see, around the day', async () => {
  const at = (day: string) => ({ start: `${day}T20:00:00` })
  const found = await makeEvent(
    app.db,
    { en: { name: 'Summer night' }, fr: { name: 'Fête du village' } },
    { ...at('2026-12-05') },
  )
  await makeEvent(app.db, 'Fete du village', { ...at('2026-12-05'), status: 'draft' })
  await makeEvent(app.db, 'Fete du village', { ...at('2026-12-05'), passwordKey: 'key' })
  await makeEvent(app.db, 'Fete du village', { ...at('2026-12-05'), hideFromListings: true })
  await makeEvent(app.db, 'Fete du village', { ...at('2026-12-09') })
  const { body } = await app.graphql('{ similarEvents(title: "Fetes du village", day: "2026-12-05") { databaseId } }')
  expect(body.data.similarEvents).toEqual([{ databaseId: found }])
})

test('looking for similar events is limited: by cost, the length of the title, and the number of events', async () => {
  const name = 'Harvest supper with fiddles, cider and a bonfire'
  const id = await makeEvent(app.db, name, { start: '2026-12-04T20:00:00' })
  const query = 'query ($title: String!) { similarEvents(title: $title, day: "2026-12-05") { databaseId } }'
  const similar = async (title: string) => (await app.graphql(query, { title }, '', { 'graphql-cost': 'tell' })).body
  const { data, extensions } = await similar(
    `${name.padEnd(100)} zebra quilt jumbo expo vow mix gym fez ivy oak unknown puzzle lavender jigsaw chimney tugboat parsnip nymph`,
  )
  expect(data.similarEvents).toEqual([{ databaseId: id }])
  expect(extensions.cost.requested).toBeGreaterThanOrEqual(1000)
  const other = await makeEvent(app.db, 'Chess', { start: '2026-12-05T20:00:00' })
  const select = {
    ...{ status: true, publishedAt: true, modifiedAt: true, originalLanguage: true, contentId: true },
    ...{ timeZone: true, startsLocal: true, endsLocal: true, startsAt: true, endsAt: true },
  }
  const row = await app.db.event.findUniqueOrThrow({ where: { id: other }, select })
  await app.db.event.createMany({ data: Array.from({ length: 1000 }, () => row) })
  expect((await similar(name)).data.similarEvents).toEqual([])
})

test('with a mail server, the sender gets the link and the answers, and no text of a proposal', async () => {
  const mail = await startMailServer()
  const site = await serve(app, { SMTP_URL: mail.url, MAIL_FROM: 'calendar@town.test' })
  try {
    const input = { ...proposed, ...sender, title: 'Buy now', message: 'Buy now', proof: await solve(site) }
    const { proposal, editUrl } = await send(site, 'proposeEvent', input, '/fr')
    await send(await site.signIn('editor'), 'askAboutProposal', { proposalId: proposal?.id, reply: 'Quel jour ?' })
    // No response waits for the mail server.
    await expect.poll(() => mail.mails.length).toBe(2)
    expect(mail.mails[0]).toContain(editUrl)
    expect(mail.mails[1]).toContain('Quel jour ?')
    for (const text of mail.mails) {
      expect(text).toContain('Bonjour')
      expect(text).toMatch(/^To: ada@example\.org$/m)
      expect(text).not.toContain('Buy now')
    }
  } finally {
    mail.close()
    await site.app.close()
  }
})

test('a repeated Idempotency-Key mails no second answer', async () => {
  const mail = await startMailServer()
  const site = await serve(app, { SMTP_URL: mail.url, MAIL_FROM: 'calendar@town.test' })
  try {
    const { proposal } = await propose()
    const client = await site.signIn('editor')
    const query = `mutation ($input: AnswerProposalInput!) { askAboutProposal(input: $input) { proposal { state } } }`
    const input = { proposalId: proposal?.id, reply: 'Which day?' }
    const ask = () => client.graphql(query, { input }, '', { 'idempotency-key': 'ask' })
    await ask()
    await expect.poll(() => mail.mails.length).toBe(1)
    // As if the service had stopped before it stored the response.
    await app.db.idempotencyKey.updateMany({ data: { status: null, body: null } })
    expect((await ask()).headers['idempotency-replayed']).toBe('true')
    await send(client, 'declineProposal', { proposalId: proposal?.id, reply: 'It is private.' })
    await expect.poll(() => mail.mails.at(-1)).toContain('It is private.')
    expect(mail.mails).toHaveLength(2)
  } finally {
    mail.close()
    await site.app.close()
  }
})
