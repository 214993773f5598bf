// Contract c.10 once more, written without the service's own rules: what each role may do with each record.
import { expect } from 'vitest'
import { passwordKey } from '../../src/content/lifecycle/record-password.ts'
import type { Status } from '../../src/generated/prisma/enums.ts'
import { now, openTestApp, type TestApp } from './app.ts'
import { makeEvent, makeOrganizer, makeVenue } from './make.ts'

export const roles = ['visitor', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
export type Role = (typeof roles)[number]
export const kinds = ['event', 'venue', 'organizer'] as const
export type PostKind = (typeof kinds)[number]

interface State {
  readonly status: Status
  readonly trashedFrom?: Status
  readonly publishedAt?: Date
  readonly locked?: true
  /** Of events alone. */
  readonly unlisted?: true
}

const states: Readonly<Record<string, State>> = {
  publish: { status: 'publish' },
  future: { status: 'future', publishedAt: new Date(now.getTime() + 86_400_000) },
  draft: { status: 'draft' },
  pending: { status: 'pending' },
  private: { status: 'private' },
  'trash, was published': { status: 'trash', trashedFrom: 'publish' },
  'trash, was a draft': { status: 'trash', trashedFrom: 'draft' },
  'with a password': { status: 'publish', locked: true },
  'kept out of listings': { status: 'publish', unlisted: true },
}

/** One cell of the table: this role's view of a record that is its own or somebody else's. */
export interface Cell {
  readonly role: Role
  readonly kind: PostKind
  readonly own: boolean
  readonly name: string
  readonly state: State
  readonly id: number
  readonly slug: string
}

const rank = (role: Role) => roles.indexOf(role)
/** Capabilities of the table in c.10, each by the lowest role that has it. */
const has = {
  edit: (role: Role) => rank(role) >= rank('contributor'),
  editPublished: (role: Role) => rank(role) >= rank('author'),
  editOthers: (role: Role) => rank(role) >= rank('editor'),
  readPrivate: (role: Role) => rank(role) >= rank('editor'),
}

/** edit(record) and delete(record), which go by the same rules. */
export function mayChange({ role, own, state }: Cell): boolean {
  const status = state.status === 'trash' ? state.trashedFrom : state.status
  const published = status === 'publish' || status === 'future'
  return (own ? has.edit(role) : has.editOthers(role)) && (!published || has.editPublished(role))
}

/** read(record): what is published everybody, what is one's own always, private by its right, the rest by edit. */
export function mayRead(cell: Cell): boolean {
  if (cell.state.status === 'publish' || cell.own) return true
  return cell.state.status === 'private' ? has.readPrivate(cell.role) : mayChange(cell)
}

export const mayWrite = has.edit
export const mayPurge = has.editOthers
export const mayManage = { category: has.editPublished, tag: has.editOthers }

/** Lists and relations leave out what is in the trash, and events that are kept out of them. */
export const isListed = (cell: Cell): boolean =>
  mayRead(cell) && cell.state.status !== 'trash' && cell.state.unlisted !== true

/** Refusal of one who may not write at all, or not this. */
export const refusal = (role: Role) => (role === 'visitor' ? 'UNAUTHENTICATED' : 'FORBIDDEN')

export const groups = roles.flatMap((role) =>
  (role === 'visitor' ? [false] : [true, false]).flatMap((own) =>
    kinds.map((kind) => ({ role, own, kind, whose: own ? 'their own' : "another's" })),
  ),
)
type Group = (typeof groups)[number]

type Doors = Pick<TestApp, 'get' | 'graphql'>

export interface World {
  readonly app: TestApp
  readonly cells: readonly Cell[]
  readonly doors: Readonly<Record<Role, Doors>>
  readonly users: Readonly<Record<Role, number>>
  /** Finds something for each state of a group and compares it with what is expected, so that a failure shows a table. */
  compare<Found>(group: Group, find: (cell: Cell) => Promise<Found>, expected: (cell: Cell) => Found): Promise<void>
}

/** A user of each role, and a record for each cell, so that cells don't disturb each other. */
export async function openWorld(): Promise<World> {
  const app = await openTestApp({ PER_PAGE_MAX: '500' })
  const doors = Object.fromEntries(roles.map((role) => [role, app])) as unknown as Record<Role, Doors>
  const users = Object.fromEntries(roles.map((role) => [role, 0])) as Record<Role, number>
  for (const role of roles) {
    if (role === 'visitor') continue
    const user = await app.signIn(role)
    doors[role] = user
    users[role] = user.id
  }
  const somebody = await app.signIn('author')
  const cells = await makeCells(app, (role, own) => (own ? users[role] : somebody.id))
  return {
    ...{ app, cells, doors, users },
    async compare(group, find, expected) {
      const those = cells.filter(
        ({ role, own, kind }) => role === group.role && own === group.own && kind === group.kind,
      )
      const found: [string, unknown][] = []
      for (const cell of those) found.push([cell.name, await find(cell)])
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(those.map((cell) => [cell.name, expected(cell)])))
    },
  }
}

const make = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }

async function makeCells(app: TestApp, authorOf: (role: Role, own: boolean) => number): Promise<Cell[]> {
  const key = await passwordKey('sesame', app.site.passwordSalt)
  const cells: Cell[] = []
  for (const { role, own, kind } of groups)
    for (const [name, state] of Object.entries(states)) {
      if (state.unlisted && kind !== 'event') continue
      const { locked, unlisted, ...columns } = state
      const hidden = unlisted ? { hideFromListings: true } : {}
      const slug = `${kind}-${cells.length}`
      const data = { ...columns, ...hidden, authorId: authorOf(role, own), passwordKey: locked ? key : null }
      cells.push({ role, own, kind, name, state, id: await make[kind](app.db, slug, data), slug })
    }
  await app.db.$executeRaw`DELETE FROM event_slug USING event e WHERE e.id = event_id AND e.status = 'trash'`
  await app.db.$executeRaw`DELETE FROM venue_slug USING venue v WHERE v.id = venue_id AND v.status = 'trash'`
  await app.db
    .$executeRaw`DELETE FROM organizer_slug USING organizer o WHERE o.id = organizer_id AND o.status = 'trash'`
  return cells
}
