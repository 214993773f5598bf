// The errors of a mutation that its client can act on.
import type { DomainError, ErrorCode } from '../../basics/errors.ts'
import { builder } from '../../service/graphql/builder.ts'
import { globalId } from '../rules/identify.ts'

/** The codes of domain errors that become user errors. All others are errors of the request. */
const userErrorCodes = {
  BAD_INPUT: 'The value at `path` is missing or invalid.',
  CONFLICT:
    'The record was modified after `ifUnmodifiedSince`: `modifiedAt` of the error is the current time of modification. Or another record prevents the change, such as another user with the same login, or no other administrator.',
  TERM_EXISTS: 'A category or tag with this name exists already: `existingId` and `databaseId` identify it.',
  NOT_FOUND: 'No record has the ID or slug at `path`.',
  WRONG_KIND: 'The ID at `path` belongs to a record of another type.',
  TRASHED: 'The record is in the trash: restore it first, or set another `status`.',
  UNAUTHENTICATED: 'Requests without credentials cannot write. Sign in first.',
  FORBIDDEN: 'You lack the right for this mutation, or for the value at `path`.',
} as const satisfies Partial<Record<ErrorCode, string>>

type UserErrorCode = keyof typeof userErrorCodes

const isUserErrorCode = (code: ErrorCode): code is UserErrorCode => Object.hasOwn(userErrorCodes, code)

const UserErrorCode = builder.enumType('UserErrorCode', {
  description: 'Why a mutation wrote nothing.',
  values: Object.fromEntries(
    Object.entries(userErrorCodes).map(([code, description]) => [code, { value: code as UserErrorCode, description }]),
  ),
})

export interface UserErrorShape {
  readonly code: UserErrorCode
  readonly message: string
  readonly path: readonly string[]
  readonly modifiedAt: Date | null
  readonly existingId: string | null
  readonly databaseId: number | null
}

export const UserError = builder.objectRef<UserErrorShape>('UserError').implement({
  description: 'Why a mutation failed. If there is a user error, nothing was written.',
  fields: (t) => ({
    code: t.expose('code', { type: UserErrorCode, description: 'What kind of error it is.' }),
    message: t.exposeString('message', { description: 'What is wrong, in a sentence.' }),
    path: t.stringList({
      description:
        'Path of the wrong value in the input: names of fields, and indexes of lists from 0, such as `["venues", "0", "create", "website"]`. Empty if the error is not about a value.',
      resolve: ({ path }) => [...path],
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the record was last modified, if it was modified after `ifUnmodifiedSince`; null for other errors.',
    }),
    // Not `id`, which client caches would take for the identity of the error.
    existingId: t.exposeID('existingId', {
      nullable: true,
      description: 'Global ID of the existing record that prevents the change; null for other errors.',
    }),
    databaseId: t.exposeInt('databaseId', {
      nullable: true,
      description: 'Numeric ID of the existing record that prevents the change; null for other errors.',
    }),
  }),
})

/** The user errors for a domain error, one for each problem of the input; undefined for an error of the request. */
export function toUserErrors({ code, message, data, problems }: DomainError): UserErrorShape[] | undefined {
  if (!isUserErrorCode(code)) return undefined
  const noDetails = { code, modifiedAt: null, existingId: null, databaseId: null }
  if (problems.length === 0) {
    const modifiedAt = data.modifiedAt instanceof Date ? data.modifiedAt : null
    return [{ ...noDetails, message, path: identityPath(code, data), modifiedAt }]
  }
  return problems.map(({ path, existing, ...problem }) => ({
    ...noDetails,
    ...problem,
    path: path.map(String),
    ...(existing && { existingId: globalId(existing.kind, existing.id), databaseId: existing.id }),
  }))
}

/** The input field that identifies the record of the mutation. */
function identityPath(code: UserErrorCode, { by }: DomainError['data']): string[] {
  if (code !== 'NOT_FOUND' && code !== 'WRONG_KIND') return []
  return [by === 'slug' ? 'currentSlug' : 'id']
}
