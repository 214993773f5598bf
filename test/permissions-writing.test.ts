// Who may change which record in both APIs, by role, owner, kind and status.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCategory, makeTag } from './helpers/make.ts'
import * as rules from './helpers/permissions.ts'
import { partOf } from './helpers/runs.ts'
import { allRows, written as create, party, write } from './helpers/write.ts'

const base = '/cal/events/v1'
let fixture: rules.Fixture

beforeAll(async () => {
  fixture = await rules.openFixture()
})
afterAll(() => fixture?.app.close())

type Row = { status: string; modified: string }

async function rowOf({ kind, id }: rules.Cell): Promise<Row | undefined> {
  const sql = `SELECT status::text AS status, modified_at::text AS modified FROM "${kind}" WHERE id = ${id}`
  return (await fixture.app.db.$queryRawUnsafe<Row[]>(sql))[0]
}

/** Puts a record back to where the cell has it, and returns its row. */
async function reset({ kind, id, state }: rules.Cell): Promise<Row | undefined> {
  const [from, before] = state.trashedFrom ? [`'${state.trashedFrom}'`, '2026-01-01'] : ['NULL', '2026-01-01']
  const sql = `UPDATE "${kind}" SET status = '${state.status}', trashed_from = ${from}, modified_at = '${before}'
    WHERE id = ${id} RETURNING status::text AS status, modified_at::text AS modified`
  return (await fixture.app.db.$queryRawUnsafe<Row[]>(sql))[0]
}

/** `done` if the record changed, otherwise the error; marks an error that changed something. */
async function attempt(cell: rules.Cell, act: () => Promise<string>): Promise<string> {
  const before = await reset(cell)
  const response = await act()
  const untouched = JSON.stringify(before) === JSON.stringify(await rowOf(cell))
  return untouched === (response === 'done') ? `${response}, yet ${untouched ? 'unchanged' : 'changed'}` : response
}

const graph = (cell: rules.Cell, verb: 'update' | 'trash' | 'restore' | 'delete', more = {}) =>
  attempt(cell, async () => {
    const { errors } = await write(fixture.clients[cell.role], verb, cell.kind, { id: cell.id, ...more })
    return errors.join() || 'done'
  })

const legacyCodes: Readonly<Record<number, string>> = {
  200: 'done',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  410: 'TRASHED',
}

const legacy = (cell: rules.Cell, method: 'PUT' | 'DELETE', payload = {}) =>
  attempt(cell, async () => {
    const url = `${base}/${cell.kind}s/${cell.id}`
    const { status } = await fixture.clients[cell.role].get(url, { method, payload })
    return legacyCodes[status] ?? String(status)
  })

type Attempt = () => Promise<string>

/** One of the two APIs for each verb, the other one for the next record; with PROPERTY_RUNS=all both. */
const inTurn = <Item>(cell: rules.Cell, verb: number, both: [graph: Item, legacy: Item]) =>
  partOf(both, 2, fixture.cells.indexOf(cell) + verb)

async function each(attempts: readonly Attempt[]): Promise<string[]> {
  const results: string[] = []
  for (const one of attempts) results.push(await one())
  return results
}

describe.each(rules.groups)('$role with $whose $kind', (group) => {
  test('updates, trashes and restores it with the same result in both APIs', () =>
    fixture.compare(
      group,
      async (cell) => {
        const description = 'Changed'
        const update: Attempt = () => graph(cell, 'update', { description })
        const trash: Attempt = () => graph(cell, 'trash')
        const restore: Attempt = () => graph(cell, 'restore')
        return {
          update: await each(inTurn(cell, 0, [update, () => legacy(cell, 'PUT', { description })])),
          trash: await each(inTurn(cell, 1, [trash, () => legacy(cell, 'DELETE')])),
          bring: await each(inTurn(cell, 0, [restore, () => legacy(cell, 'PUT', { status: 'draft' })])),
          purge: await graph(cell, 'delete'),
        }
      },
      (cell) => {
        const may = rules.mayChange(cell)
        const inTrash = cell.state.status === 'trash'
        const rejected = rules.errorCode(cell.role)
        const change = !may ? rejected : inTrash ? 'TRASHED' : 'done'
        return {
          update: inTurn(cell, 0, [change, change]),
          trash: inTurn(cell, 1, [change, change]),
          // REST restores a record by another status.
          bring: inTurn(cell, 0, [!may ? rejected : inTrash ? 'done' : 'BAD_INPUT id', may ? 'done' : rejected]),
          purge: rules.mayPurge(cell.role) ? 'done' : rejected,
        }
      },
    ))
})

describe.each(rules.roles)('%s', (role) => {
  const allowed = (may: boolean) => (may ? 'done' : rules.errorCode(role))
  const sent = async (method: 'POST' | 'PUT' | 'DELETE', url: string, payload = {}) => {
    const { status } = await fixture.clients[role].get(`${base}${url}`, { method, payload })
    return status === 201 ? 'done' : (legacyCodes[status] ?? String(status))
  }

  test.each([
    ['category', makeCategory],
    ['tag', makeTag],
  ] as const)('manages each %s, or none', async (kind, make) => {
    const [mine, theirs] = [await make(fixture.app.db, `a ${role}`), await make(fixture.app.db, `b ${role}`)]
    const plural = kind === 'tag' ? 'tags' : 'categories'
    const done = async (verb: 'create' | 'update' | 'delete', input: object) =>
      (await write(fixture.clients[role], verb, kind, { ...input })).errors.join() || 'done'
    const before = await allRows(fixture.app)
    const responses = [
      await done('create', { name: `c ${role}` }),
      await done('update', { id: mine, description: 'x' }),
      await done('delete', { id: mine }),
      await sent('POST', `/${plural}`, { name: `d ${role}` }),
      await sent('PUT', `/${plural}/${theirs}`, { description: 'x' }),
      await sent('DELETE', `/${plural}/${theirs}`),
    ]
    const may = rules.mayManage[kind](role)
    expect(responses).toEqual(responses.map(() => allowed(may)))
    if (!may) expect(await allRows(fixture.app)).toEqual(before)
  })

  test.each(rules.kinds)('creates each %s, or none', async (kind) => {
    const graphInput = kind === 'event' ? party : { name: `New of ${role}` }
    const legacyInput =
      kind === 'event'
        ? { title: 'x', start_date: '2026-12-01', end_date: '2026-12-01' }
        : { [kind]: `Other of ${role}` }
    const before = await allRows(fixture.app)
    const { errors } = await write(fixture.clients[role], 'create', kind, graphInput)
    const responses = [errors.join() || 'done', await sent('POST', `/${kind}s`, legacyInput)]
    expect(responses).toEqual(responses.map(() => allowed(rules.mayWrite(role))))
    if (!rules.mayWrite(role)) expect(await allRows(fixture.app)).toEqual(before)
  })

  // Contract e.2 and QUIRK-37: for users who may not publish, the status becomes pending.
  test.each(['PUBLISHED', 'SCHEDULED', 'PRIVATE', 'DRAFT', 'PENDING', undefined])(
    'gets the status that the contract says for %s',
    async (status) => {
      if (!rules.mayWrite(role)) return
      const publishedAt = status === 'SCHEDULED' ? '2027-01-01T00:00:00Z' : undefined
      const { record } = await write(
        fixture.clients[role],
        'create',
        'event',
        { ...party, status, publishedAt },
        'status',
      )
      const requested = status ?? (role === 'contributor' ? 'DRAFT' : 'PUBLISHED')
      const isAllowed = role !== 'contributor' || requested === 'DRAFT' || requested === 'PENDING'
      expect(record?.status).toBe(isAllowed ? requested : 'PENDING')
    },
  )

  test('only editors can write on behalf of other users', async () => {
    if (!rules.mayWrite(role)) return
    const authorId = fixture.users.subscriber
    const { errors } = await write(fixture.clients[role], 'create', 'venue', { name: `For another, ${role}`, authorId })
    expect(errors.join() || 'done').toBe(allowed(rules.mayPurge(role)))
    const id = await create(fixture.clients[role], 'create', 'venue', { name: `Mine, ${role}` })
    const change = await write(fixture.clients[role], 'update', 'venue', { id, authorId })
    expect(change.errors.join() || 'done').toBe(allowed(rules.mayPurge(role)))
  })
})
