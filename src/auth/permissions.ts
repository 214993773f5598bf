// What a role may do (contract c.10). Events, venues and organizers follow the same rules.
import { forbidden, signInRequired } from '../errors.ts'
import type { Role, Status } from '../generated/prisma/enums.ts'

/** Somebody signed in. */
export interface Viewer {
  readonly id: number
  readonly role: Role
  /** When the token or password that they came with ends, if it does. */
  readonly until?: Date | undefined
}

export type Permission =
  /** Create records, and change and trash own ones that are not published. */
  | 'write'
  /** Publish, and change and trash own published records. */
  | 'publish'
  /** Change and trash what others wrote, private records included; read everything. */
  | 'editOthers'
  | 'upload'
  | 'manageCategories'
  | 'manageTags'
  /** Delete for good. */
  | 'purge'
  | 'manageUsers'

const permissionsByRole: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ['write', 'publish', 'editOthers', 'upload', 'manageCategories', 'manageTags', 'purge', 'manageUsers'],
  editor: ['write', 'publish', 'editOthers', 'upload', 'manageCategories', 'manageTags', 'purge'],
  author: ['write', 'publish', 'upload', 'manageCategories'],
  contributor: ['write'],
  subscriber: [],
}

export const may = (viewer: Viewer | undefined, permission: Permission): boolean =>
  viewer !== undefined && permissionsByRole[viewer.role].includes(permission)

/** Throws signInRequired for visitors, forbidden for who has not the right. */
export function requirePermission(viewer: Viewer | undefined, permission: Permission): Viewer {
  if (viewer === undefined) throw signInRequired()
  if (!may(viewer, permission)) throw forbidden('Your role may not do this.')
  return viewer
}

export interface OwnedRecord {
  readonly authorId: number | null
  readonly status: Status
  readonly trashedFrom: Status | null
}

/** Whether the viewer may change, trash and restore this record; a trashed one is judged by what it was before. */
export function mayEdit(viewer: Viewer | undefined, { authorId, status, trashedFrom }: OwnedRecord): boolean {
  if (viewer === undefined) return false
  if (authorId !== viewer.id) return may(viewer, 'editOthers')
  const before = status === 'trash' ? (trashedFrom ?? 'draft') : status
  return may(viewer, before === 'publish' || before === 'future' ? 'publish' : 'write')
}

/** Throws signInRequired or forbidden unless the viewer may change this record. */
export function requireEdit(viewer: Viewer | undefined, record: OwnedRecord): Viewer {
  if (viewer === undefined) throw signInRequired()
  if (!mayEdit(viewer, record)) throw forbidden('You may not change this record.')
  return viewer
}
