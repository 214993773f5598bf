// viewerCanUpdate, viewerCanDelete and hasPassword say what the mutations then do, by role, owner, kind and state.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCategory, makeEvent, makeTag } from './helpers/make.ts'
import * as rules from './helpers/permissions.ts'
import { type Kind, write } from './helpers/write.ts'

let fixture: rules.Fixture

beforeAll(async () => {
  fixture = await rules.openFixture()
})
afterAll(() => fixture?.app.close())

const flags = 'viewerCanUpdate viewerCanDelete'

type Flags = { readonly viewerCanUpdate: boolean; readonly viewerCanDelete: boolean }

async function flagsOf(role: rules.Role, kind: Kind, id: number, more = ''): Promise<(Flags & object) | null> {
  const query = `{ result: ${kind}(id: ${id}) { ${flags} ${more} } }`
  return (await fixture.clients[role].graphql(query)).body.data.result
}

async function succeeds(role: rules.Role, verb: 'update' | 'restore' | 'delete', kind: Kind, input: object) {
  return (await write(fixture.clients[role], verb, kind, { ...input })).errors.length === 0
}

describe.each(rules.groups)('$role with $whose $kind', (group) => {
  test('the flags are what the mutations allow', async () => {
    const read = new Map<rules.Cell, object | null>()
    await fixture.compare(
      group,
      async (cell) => {
        const { role, kind, id, state } = cell
        const result = await flagsOf(role, kind, id, 'hasPassword')
        read.set(cell, result)
        const verb = state.status === 'trash' ? 'restore' : 'update'
        const viewerCanUpdate = await succeeds(role, verb, kind, { id })
        const viewerCanDelete = await succeeds(role, 'delete', kind, { id })
        const hasPassword = viewerCanUpdate ? state.locked === true : null
        return [result, result && { viewerCanUpdate, viewerCanDelete, hasPassword }]
      },
      (cell) => {
        const result = read.get(cell) ?? null
        return [result, result]
      },
    )
  })
})

test.each([
  ['category', makeCategory],
  ['tag', makeTag],
] as const)('the flags of a %s are what the mutations allow for each role', async (kind, make) => {
  const id = await make(fixture.app.db, `A ${kind}`)
  for (const role of rules.roles) {
    const own = await make(fixture.app.db, `Of ${role}`)
    const result = await flagsOf(role, kind, id)
    expect([role, result]).toEqual([
      role,
      {
        viewerCanUpdate: await succeeds(role, 'update', kind, { id: own, description: 'x' }),
        viewerCanDelete: await succeeds(role, 'delete', kind, { id: own }),
      },
    ])
  }
})

test('the same event has the flags of each reader, in a list and alone', async () => {
  const id = await makeEvent(fixture.app.db, 'Flags of all', { authorId: fixture.users.author })
  const query = `{ one: event(id: ${id}) { ${flags} } list: events(filter: { search: "Flags of all" }) { nodes { ${flags} } } }`
  for (let time = 0; time < 2; time += 1) {
    for (const role of rules.roles) {
      const { body } = await fixture.clients[role].graphql(query)
      const expected = {
        viewerCanUpdate: role === 'author' || rules.mayPurge(role),
        viewerCanDelete: rules.mayPurge(role),
      }
      expect([role, body.data]).toEqual([role, { one: expected, list: { nodes: [expected] } }])
    }
  }
})
