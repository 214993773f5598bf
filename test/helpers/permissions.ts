// A second implementation of contract c.10, independent of the service: what each role may do with each record.
import { expect } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import type { Status } from '../../src/generated/prisma/enums.ts'
import { compared, now, openTestApp, type TestApp } from './app.ts'
import { makeEvent, makeOrganizer, makeVenue } from './make.ts'
import { partOf } from './runs.ts'

export const roles = ['visitor', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
export type Role = (typeof roles)[number]
export const kinds = ['event', 'venue', 'organizer'] as const
export type PostKind = (typeof kinds)[number]

interface State {
  readonly status: Status
  readonly trashedFrom?: Status
  readonly publishedAt?: Date
  readonly locked?: true
  /** Hidden from lists. */
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
}
/** Only for events. */
const hidden: Readonly<Record<string, State>> = { 'hidden from listings': { status: 'publish', unlisted: true } }

/** A cell of the permission table: a role, and a record of that user or of another one. */
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
/** Capabilities of contract c.10, by the lowest role that has them. */
const has = {
  edit: (role: Role) => rank(role) >= rank('contributor'),
  editPublished: (role: Role) => rank(role) >= rank('author'),
  editOthers: (role: Role) => rank(role) >= rank('editor'),
  readPrivate: (role: Role) => rank(role) >= rank('editor'),
}

/** Whether the role may edit and delete the record; the rules are the same. */
export function mayChange({ role, own, state }: Cell): boolean {
  const status = state.status === 'trash' ? state.trashedFrom : state.status
  const published = status === 'publish' || status === 'future'
  return (own ? has.edit(role) : has.editOthers(role)) && (!published || has.editPublished(role))
}

/** Whether the role may read the record: published and own ones always, private ones by role, others if it may edit. */
export function mayRead(cell: Cell): boolean {
  if (cell.state.status === 'publish' || cell.own) return true
  return cell.state.status === 'private' ? has.readPrivate(cell.role) : mayChange(cell)
}

export const mayWrite = has.edit
export const mayPurge = has.editOthers
export const mayManage = { category: has.editPublished, tag: has.editOthers }

/** Whether lists and relations show the record: not if it is trashed or hidden from lists. */
export const isListed = (cell: Cell): boolean =>
  mayRead(cell) && cell.state.status !== 'trash' && cell.state.unlisted !== true

/** The error code for a role without the permission. */
export const errorCode = (role: Role) => (role === 'visitor' ? 'UNAUTHENTICATED' : 'FORBIDDEN')

export const groups = roles.flatMap((role) =>
  (role === 'visitor' ? [false] : [true, false]).flatMap((own) =>
    kinds.map((kind) => ({ role, own, kind, whose: own ? 'their own' : "another's" })),
  ),
)
type Group = (typeof groups)[number]

type Client = Pick<TestApp, 'get' | 'graphql'>

export interface Fixture {
  readonly app: TestApp
  readonly cells: readonly Cell[]
  readonly clients: Readonly<Record<Role, Client>>
  readonly users: Readonly<Record<Role, number>>
  /** Compares the results of `find` with the expected ones for all cells of a group, so that a failure shows a table. */
  compare<Result>(group: Group, find: (cell: Cell) => Promise<Result>, expected: (cell: Cell) => Result): Promise<void>
}

/**
 * Creates a user for each role, and a record for each cell, so that cells do not influence each other. The kinds share the
 * states of a role among them: the rules are the same for all kinds.
 */
export async function openFixture(): Promise<Fixture> {
  const app = await openTestApp({ PER_PAGE_MAX: '500', ...compared })
  const clients = Object.fromEntries(roles.map((role) => [role, app])) as unknown as Record<Role, Client>
  const users = Object.fromEntries(roles.map((role) => [role, 0])) as Record<Role, number>
  for (const role of roles) {
    if (role === 'visitor') continue
    const user = await app.signIn(role)
    clients[role] = user
    users[role] = user.id
  }
  const otherUser = await app.signIn('author')
  const cells = await createCells(app, (role, own) => (own ? users[role] : otherUser.id))
  return {
    ...{ app, cells, clients: clients, users },
    async compare(group, find, expected) {
      const groupCells = cells.filter(
        ({ role, own, kind }) => role === group.role && own === group.own && kind === group.kind,
      )
      const results: [string, unknown][] = []
      for (const cell of groupCells) results.push([cell.name, await find(cell)])
      expect(Object.fromEntries(results)).toEqual(
        Object.fromEntries(groupCells.map((cell) => [cell.name, expected(cell)])),
      )
    },
  }
}

const createPost = { event: makeEvent, venue: makeVenue, organizer: makeOrganizer }

async function createCells(app: TestApp, authorOf: (role: Role, own: boolean) => number): Promise<Cell[]> {
  const key = await hashRecordPassword('sesame', app.site.passwordSalt)
  const cells: Cell[] = []
  for (const [number, { role, own, kind }] of groups.entries()) {
    // The kinds of a role and an owner have successive numbers.
    const part = partOf(Object.entries(states), kinds.length, number + Math.floor(number / kinds.length))
    for (const [name, state] of kind === 'event' ? [...part, ...Object.entries(hidden)] : part) {
      const { locked, unlisted, ...columns } = state
      const listed = unlisted ? { hideFromListings: true } : {}
      const slug = `${kind}-${cells.length}`
      const data = { ...columns, ...listed, authorId: authorOf(role, own), passwordKey: locked ? key : null }
      cells.push({ role, own, kind, name, state, id: await createPost[kind](app.db, slug, data), slug })
    }
  }
  await app.db
    .$executeRaw`DELETE FROM content_slug USING event e WHERE e.id = content_slug.content_id AND e.status = 'trash'`
  await app.db.$executeRaw`DELETE FROM venue_slug USING venue v WHERE v.id = venue_id AND v.status = 'trash'`
  await app.db
    .$executeRaw`DELETE FROM organizer_slug USING organizer o WHERE o.id = organizer_id AND o.status = 'trash'`
  return cells
}
