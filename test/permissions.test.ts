// Which records each role may read in both APIs: a table by role, author, kind and status.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeEvent } from './helpers/make.ts'
import * as rules from './helpers/permissions.ts'
import { capital, write } from './helpers/write.ts'

const base = '/cal/events/v1'
let fixture: rules.Fixture
/** An own event of each role, to link records to. */
const ownEvents: Partial<Record<rules.Role, number>> = {}
/** Published, and linked to everything. */
let hub: number

beforeAll(async () => {
  fixture = await rules.openFixture()
  const { app, users, cells } = fixture
  for (const role of rules.roles.filter(rules.mayWrite)) {
    ownEvents[role] = await makeEvent(app.db, `Own of ${role}`, { status: 'draft', authorId: users[role] })
  }
  const idsOf = (kind: rules.PostKind) => cells.filter((cell) => cell.kind === kind).map(({ id }) => id)
  hub = await makeEvent(app.db, 'Hub', { venueIds: idsOf('venue'), organizerIds: idsOf('organizer') })
  await app.db.event.updateMany({ where: { id: { in: idsOf('event') } }, data: { parentId: hub } })
})
afterAll(() => fixture?.app.close())

describe.each(rules.groups)('$role reads $whose $kind', (group) => {
  test('single records in GraphQL', () =>
    fixture.compare(
      group,
      async ({ role, kind, id, slug }) => {
        const node = Buffer.from(`${capital(kind)}:${id}`).toString('base64')
        const { body } = await fixture.clients[role].graphql(
          `query($id: ID!, $slug: String!, $node: ID!) { id: ${kind}(id: $id) { locked } slug: ${kind}(slug: $slug) { locked }
            node(id: $node) { ... on ${capital(kind)} { locked } } }`,
          { id, slug, node },
        )
        const code = (name: string) =>
          body.errors?.find((error: { path: string[] }) => error.path[0] === name)?.extensions.code
        return ['id', 'slug', 'node'].map((name) => code(name) ?? body.data?.[name]?.locked ?? null)
      },
      (cell) => {
        const { status, locked = false } = cell.state
        // A trashed record can be read by users who may restore it, and by its author.
        const mayRead = rules.mayRead(cell)
        const rejected = status === 'trash' ? 'TRASHED' : 'NOT_ACCESSIBLE'
        const bySlug = status === 'trash' ? 'NOT_FOUND' : mayRead ? locked : rejected
        return [mayRead ? locked : rejected, bySlug, mayRead ? locked : rejected]
      },
    ))

  test('single records in REST', () =>
    fixture.compare(
      group,
      async (cell) => {
        const replies = [
          await fixture.clients[group.role].get(`${base}/${cell.kind}s/${cell.id}`),
          await fixture.clients[group.role].get(`${base}/${cell.kind}s/by-slug/${cell.slug}`),
        ]
        return replies.map(({ status, body }) => (status === 200 ? 200 : body.code))
      },
      (cell) => {
        const { status, locked } = cell.state
        const rejected =
          status === 'trash' && cell.kind === 'event' ? 'event-no-longer-available' : `${cell.kind}-not-accessible`
        // Contract d.3: a trashed event is refused to everybody. Contract c.15: a protected event is, a venue is masked.
        const may = rules.mayRead(cell) && !(status === 'trash' && cell.kind === 'event')
        const response = !may ? rejected : locked && cell.kind === 'event' ? 'event-password-protected' : 200
        return [response, status === 'trash' ? 'rest_invalid_param' : response]
      },
    ))
})

describe.each(rules.groups.filter(({ role }) => rules.mayWrite(role)))(
  '$role links $whose $kind to an event',
  (group) => {
    const field = { event: 'parentId', venue: 'venues', organizer: 'organizers' }[group.kind]
    test('only records that they may read', () =>
      fixture.compare(
        group,
        async ({ id, kind }) => {
          const link = kind === 'event' ? id : [{ id }]
          const { errors } = await write(fixture.clients[group.role], 'update', 'event', {
            id: ownEvents[group.role],
            [field]: link,
          })
          if (kind === 'event') return [errors.join()]
          const { status } = await fixture.clients[group.role].get(`${base}/events/${ownEvents[group.role]}`, {
            method: 'PUT',
            payload: { [kind]: [id] },
          })
          return [errors.join(), status]
        },
        (cell) => {
          const may = rules.mayRead(cell) && cell.state.status !== 'trash'
          const response = may ? '' : `BAD_INPUT ${field}`
          return cell.kind === 'event' ? [response] : [response, may ? 200 : 400]
        },
      ))
  },
)

describe.each(rules.roles)('%s finds in lists', (role) => {
  const results = (items: readonly { databaseId: number }[]) => new Set(items.map(({ databaseId }) => databaseId))
  const send = async (query: string) => {
    const { body } = await fixture.clients[role].graphql(query)
    expect(body.errors).toBeUndefined()
    return body.data.result
  }
  const otherRoles = (cell: rules.Cell): rules.Cell => ({ ...cell, role, own: cell.own && cell.role === role })
  const namesOf = (ids: ReadonlySet<number>, kind: rules.PostKind) =>
    fixture.cells
      .filter((cell) => cell.kind === kind && ids.has(cell.id))
      .map(({ role: of, own, name }) => `${of} ${own} ${name}`)
  const expected = (kind: rules.PostKind, may: (cell: rules.Cell) => boolean) =>
    namesOf(new Set(fixture.cells.filter((cell) => may(otherRoles(cell))).map(({ id }) => id)), kind)

  test.each(rules.kinds)('%ss like single reads: list, pages and count', async (kind) => {
    const listed = expected(kind, rules.isListed)
    const { nodes, totalCount } = await send(`{ result: ${kind}s(first: 500) { nodes { databaseId } totalCount } }`)
    expect(namesOf(results(nodes), kind)).toEqual(listed)
    expect(nodes.length).toBe(totalCount)
    const page = await send(`{ result: ${kind}sPage(perPage: 500) { items { databaseId } total } }`)
    expect([namesOf(results(page.items), kind), page.total]).toEqual([listed, totalCount])
  })

  test.each(rules.kinds)('%ss in REST: no record that a single read rejects', async (kind) => {
    const { body } = await fixture.clients[role].get(`${base}/${kind}s?per_page=500`)
    const ids = new Set<number>(body[`${kind}s`].map(({ id }: { id: number }) => id))
    expect(body.total).toBe(ids.size + 0)
    const shown = namesOf(ids, kind)
    const listed = expected(kind, rules.isListed)
    expect(shown.filter((name) => !listed.includes(name))).toEqual([])
    expect(shown).toEqual(
      expect.arrayContaining(expected(kind, (cell) => cell.state.status === 'publish' && rules.isListed(cell))),
    )
  })

  test('relations of an event that links all records', async () => {
    const event = await send(`{ result: event(id: ${hub}) {
      venues { databaseId } organizers { databaseId } children(first: 500) { nodes { databaseId } } } }`)
    const shown = { event: event.children.nodes, venue: event.venues, organizer: event.organizers }
    for (const kind of rules.kinds) {
      expect(namesOf(results(shown[kind]), kind)).toEqual(expected(kind, rules.isListed))
    }
  })

  test.each(['venue', 'organizer'] as const)(
    'events by %s: nothing by one that lists and events do not show',
    async (kind) => {
      const matching = fixture.cells.filter((cell) => cell.kind === kind)
      const fields = matching.map(({ id }) => `c${id}: eventsPage(filter: { ${kind}s: [${id}] }) { total }`)
      const totals: Record<string, { total: number }> = {}
      for (let start = 0; start < fields.length; start += 20) {
        const { body } = await fixture.clients[role].graphql(`{ ${fields.slice(start, start + 20).join(' ')} }`)
        Object.assign(totals, body.data)
      }
      const reached = new Set(matching.filter(({ id }) => totals[`c${id}`]?.total !== 0).map(({ id }) => id))
      expect(namesOf(reached, kind)).toEqual(expected(kind, rules.isListed))
    },
  )
})
