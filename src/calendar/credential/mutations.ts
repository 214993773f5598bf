import { badInputError, forbiddenFieldError, notFoundError, signInRequiredError } from '../../basics/errors.ts'
import { checkAll } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { CredentialKind } from '../../generated/prisma/enums.ts'
import { toSingleLine } from '../../service/auth/login.ts'
import { generateSecret, hashSecret } from '../../service/auth/secrets.ts'
import type { Context } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { mutateAccounts } from '../lifecycle/mutation.ts'
import { Payload, type WriteResult, writtenRecordField } from '../lifecycle/payload.ts'
import { idDescription, parseReferenceId, requireRecordId } from '../rules/identify.ts'
import { ownsOrManagesUser, visibleCredentialsFilter } from '../rules/visibility.ts'
import { Credential } from './type.ts'

const ownerInputs = (t: InputFields, secret: string) => ({
  name: t.string({ required: true, description: `Name that shows where the ${secret} is used.` }),
  userId: t.id({
    description: `The user who gets the credential; by default yourself. ${idDescription('user')} Only administrators may set another user.`,
  }),
})

const CreateApplicationPasswordInput = builder.inputType('CreateApplicationPasswordInput', {
  description: 'The application password to create.',
  fields: (t) => ({
    ...ownerInputs(t, 'password'),
  }),
})

const CreateApiTokenInput = builder.inputType('CreateApiTokenInput', {
  description: 'The API token to create.',
  fields: (t) => ({
    ...ownerInputs(t, 'token'),
    expiresAt: t.field({ type: 'DateTime', description: 'When the token expires; by default never.' }),
  }),
})

const RevokeCredentialInput = builder.inputType('RevokeCredentialInput', {
  description: 'Identifies the credential to revoke.',
  fields: (t) => ({ id: t.id({ required: true, description: idDescription('credential') }) }),
})

const NewCredentialPayload = builder
  .objectRef<WriteResult & { readonly secret?: string }>('NewCredentialPayload')
  .implement({
    description: 'Result of creating a credential.',
    interfaces: [Payload],
    fields: (t) => ({
      credential: t.field(
        writtenRecordField('credential', Credential, 'The new credential; null if nothing was written.'),
      ),
      secret: t.string({
        nullable: true,
        description:
          'The password or token. Only the first response shows it, because the service stores only a hash: null if an Idempotency-Key is repeated.',
        resolve: ({ secret }) => secret ?? null,
      }),
    }),
  })

const RevokeCredentialPayload = builder.objectRef<WriteResult>('RevokeCredentialPayload').implement({
  description: 'Result of revoking a credential.',
  interfaces: [Payload],
  fields: (t) => ({ credential: t.field(writtenRecordField('credential', Credential)) }),
})

interface NewCredentialInput {
  readonly name: string
  readonly userId?: string | null | undefined
  readonly expiresAt?: Date | null | undefined
}

async function createCredential(
  tx: Tx,
  context: Context,
  kind: CredentialKind,
  input: NewCredentialInput,
): Promise<{ readonly id: number; readonly secret: string }> {
  const { viewer, now } = context
  if (!viewer) throw signInRequiredError()
  // A token with an expiry must not create credentials that expire after the token.
  const latest = viewer.until
  const expiresAt = input.expiresAt ?? latest ?? null
  const { name, userId } = await checkAll({
    name: () => credentialName(input.name),
    expiresAt: () => checkExpiry(expiresAt, latest, now),
    userId: async () => {
      const userId = parseReferenceId('user', input.userId, 'userId') ?? viewer.id
      if (!ownsOrManagesUser(context, userId)) {
        throw forbiddenFieldError('userId', 'Creating credentials for other users requires the role ADMINISTRATOR.')
      }
      if ((await tx.user.count({ where: { id: userId } })) > 0) return userId
      throw badInputError({ userId: 'userId must be the ID of an existing user.' })
    },
  })
  const secret = generateSecret()
  const data = { userId, kind, name, hash: hashSecret(secret), expiresAt, createdAt: now }
  const { id } = await tx.credential.create({ data })
  return { id, secret }
}

function credentialName(input: string): string {
  const name = toSingleLine(input, Number.POSITIVE_INFINITY) ?? ''
  if (/^.{1,200}$/u.test(name)) return name
  throw badInputError({ name: 'name must have 1 to 200 characters.' })
}

function checkExpiry(expiresAt: Date | null, latest: Date | undefined, now: Date): void {
  if (expiresAt && expiresAt <= now) throw badInputError({ expiresAt: 'expiresAt must be in the future.' })
  if (!expiresAt || !latest || expiresAt <= latest) return
  throw badInputError({
    expiresAt: `expiresAt must not be later than the expiry of your own credential, ${latest.toISOString()}.`,
  })
}

/** Creates a credential. The result that is stored for an Idempotency-Key leaves out the secret. */
const adding =
  (kind: CredentialKind) =>
  (_root: unknown, { input }: { input: NewCredentialInput }, context: Context) =>
    mutateAccounts(
      context,
      (tx) => createCredential(tx, context, kind, input),
      ({ id }) => ({ id }),
    )

builder.mutationFields((t) => ({
  createApplicationPassword: t.field({
    type: NewCredentialPayload,
    description: 'Creates a password for HTTP Basic authentication, to use in one application.',
    args: {
      input: t.arg({ type: CreateApplicationPasswordInput, required: true, description: 'The password to create.' }),
    },
    resolve: adding('application_password'),
  }),
  createApiToken: t.field({
    type: NewCredentialPayload,
    description: 'Creates a Bearer token.',
    args: { input: t.arg({ type: CreateApiTokenInput, required: true, description: 'The token to create.' }) },
    resolve: adding('api_token'),
  }),
  revokeCredential: t.field({
    type: RevokeCredentialPayload,
    description: 'Revokes a credential permanently. Requests with a revoked credential are rejected.',
    args: { input: t.arg({ type: RevokeCredentialInput, required: true, description: 'Identifies the credential.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(context, async (tx) => {
        if (!context.viewer) throw signInRequiredError()
        const id = requireRecordId('credential', input.id)
        const where = { AND: [{ id }, visibleCredentialsFilter(context)] }
        if ((await tx.credential.count({ where })) === 0) throw notFoundError('credential', 'id')
        await tx.credential.updateMany({
          where: { AND: [where, { revokedAt: null }] },
          data: { revokedAt: context.now },
        })
        return { id }
      }),
  }),
}))
