// The permissions of each role (contract c.10), which are the same for events, venues and organizers.
import { forbiddenError, signInRequiredError } from '../../basics/errors.ts'
import type { Role, Status } from '../../generated/prisma/enums.ts'

/** The signed-in user who sends the request. */
export interface Viewer {
  readonly id: number
  readonly role: Role
  /** When the token or password of the request expires; undefined if it does not expire. */
  readonly until?: Date | undefined
  /** How the user signed in; undefined for commands. */
  readonly authentication?: Authentication
}

/** The credential that a user signed in with. */
interface Authentication {
  /** ID of the token or password; undefined for a token of the OIDC issuer. */
  readonly credential: number | undefined
  /** When the credential expires; undefined if it does not expire. */
  readonly expiresAt: Date | undefined
}

export type Permission =
  /** Create records, and update and trash one's own unpublished records. */
  | 'write'
  /** Publish records, and update and trash one's own published records. */
  | 'publish'
  /** Read, update and trash records of others, including private ones. */
  | 'editOthers'
  | 'upload'
  | 'manageCategories'
  | 'manageTags'
  /** Delete records permanently. */
  | 'purge'
  | 'manageUsers'

const permissionsByRole: Readonly<Record<Role, readonly Permission[]>> = {
  administrator: ['write', 'publish', 'editOthers', 'upload', 'manageCategories', 'manageTags', 'purge', 'manageUsers'],
  editor: ['write', 'publish', 'editOthers', 'upload', 'manageCategories', 'manageTags', 'purge'],
  author: ['write', 'publish', 'upload', 'manageCategories'],
  contributor: ['write'],
  subscriber: [],
}

export const permissionsOf = (role: Role): readonly Permission[] => permissionsByRole[role]

/** Whether the viewer has a permission. */
export const may = (viewer: Viewer | undefined, permission: Permission): boolean =>
  viewer !== undefined && permissionsByRole[viewer.role].includes(permission)

/** Returns the author of a new record: the ID of the user, or null for a command, which acts without a user. */
export const authorIdOf = ({ id }: Viewer): number | null => (id === 0 ? null : id)

/** Throws signInRequiredError for anonymous requests, and forbidden if the role lacks the permission. */
export function requirePermission(viewer: Viewer | undefined, permission: Permission): Viewer {
  if (viewer === undefined) throw signInRequiredError()
  if (!may(viewer, permission)) throw forbiddenError('Your role does not allow this.')
  return viewer
}

/** The properties of a record that decide who may edit the record. */
export interface OwnedRecord {
  readonly authorId: number | null
  readonly status: Status
  readonly trashedFrom: Status | null
}

/** Whether the viewer may update, trash and restore this record. In the trash, the status before counts. */
export function mayEdit(viewer: Viewer | undefined, { authorId, status, trashedFrom }: OwnedRecord): boolean {
  if (viewer === undefined) return false
  if (authorId !== viewer.id) return may(viewer, 'editOthers')
  const before = status === 'trash' ? (trashedFrom ?? 'draft') : status
  return may(viewer, before === 'publish' || before === 'future' ? 'publish' : 'write')
}

/** The permissions that creating, updating and deleting terms requires (contract c.11). */
export const termPermissions = {
  category: ['write', 'manageCategories'],
  tag: ['write', 'manageTags'],
} as const satisfies Readonly<Record<string, readonly Permission[]>>

/** Whether the viewer may create, update and delete terms of the kind. */
export const mayManageTerms = (viewer: Viewer | undefined, kind: keyof typeof termPermissions): boolean =>
  termPermissions[kind].every((permission) => may(viewer, permission))

/** Throws signInRequiredError or forbidden unless the viewer may update this record. */
export function requireEditPermission(viewer: Viewer | undefined, record: OwnedRecord): Viewer {
  if (viewer === undefined) throw signInRequiredError()
  if (!mayEdit(viewer, record)) throw forbiddenError('You may not update this record.')
  return viewer
}
