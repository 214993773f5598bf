import { toSingleLine } from '../../auth/login.ts'
import { generateSecret, hashSecret } from '../../auth/secrets.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { badInput, forbidden, notFound, signInRequired } from '../../errors.ts'
import type { CredentialKind } from '../../generated/prisma/enums.ts'
import { builder } from '../../graphql/builder.ts'
import { checkAll } from '../lifecycle/input-errors.ts'
import { mutateAccounts, type Outcome, userErrorsField } from '../lifecycle/mutation.ts'
import { ownsOrManages, visibleCredentials } from '../user/visibility.ts'
import { Credential } from './type.ts'

const CreateApplicationPasswordInput = builder.inputType('CreateApplicationPasswordInput', {
  description: 'A new application password.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What it is for.' }),
    userId: t.int({
      description: 'Number of the user it is for; by default who asks. Others for administrators only.',
    }),
  }),
})

const CreateApiTokenInput = builder.inputType('CreateApiTokenInput', {
  description: 'A new API token.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'What it is for.' }),
    userId: t.int({
      description: 'Number of the user it is for; by default who asks. Others for administrators only.',
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'When it stops to be good; by default never.' }),
  }),
})

const RevokeCredentialInput = builder.inputType('RevokeCredentialInput', {
  description: 'A credential to revoke.',
  fields: (t) => ({ id: t.int({ required: true, description: 'Number of the credential.' }) }),
})

interface Made {
  readonly id: number
  readonly secret: string
}

const NewCredentialPayload = builder
  .objectRef<Outcome & { readonly secret?: string }>('NewCredentialPayload')
  .implement({
    description: 'What became of a new credential.',
    fields: (t) => ({
      credential: t.prismaField({
        type: Credential,
        nullable: true,
        description: 'The credential; null when nothing was written.',
        resolve: (query, { id }, _args, { db }) => db.credential.findUnique({ ...query, where: { id: id ?? -1 } }),
      }),
      secret: t.string({
        nullable: true,
        description:
          'The password or token itself. It is shown this once, and kept nowhere: null when an Idempotency-Key is sent again.',
        resolve: ({ secret }) => secret ?? null,
      }),
      userErrors: t.field(userErrorsField),
    }),
  })

const RevokeCredentialPayload = builder.objectRef<Outcome>('RevokeCredentialPayload').implement({
  description: 'What became of a credential.',
  fields: (t) => ({
    credential: t.prismaField({
      type: Credential,
      nullable: true,
      description: 'As it is now; null when nothing was written.',
      resolve: (query, { id }, _args, { db }) => db.credential.findUnique({ ...query, where: { id: id ?? -1 } }),
    }),
    userErrors: t.field(userErrorsField),
  }),
})

interface NewCredentialInput {
  readonly name: string
  readonly userId?: number | null | undefined
  readonly expiresAt?: Date | null | undefined
}

async function make(tx: Tx, context: Context, kind: CredentialKind, input: NewCredentialInput): Promise<Made> {
  const { viewer, now } = context
  if (!viewer) throw signInRequired()
  const userId = input.userId ?? viewer.id
  if (!ownsOrManages(context, userId)) throw forbidden('Only administrators make credentials for others.')
  // A token that ends makes none that outlives it.
  const latest = viewer.until
  const expiresAt = input.expiresAt ?? latest ?? null
  const { name } = await checkAll({
    name: () => credentialName(input.name),
    expiresAt: () => checkExpiry(expiresAt, latest, now),
    userId: async () => {
      if ((await tx.user.count({ where: { id: userId } })) > 0) return
      throw badInput({ userId: 'userId is a user who exists.' })
    },
  })
  const secret = generateSecret()
  const data = { userId, kind, name, hash: hashSecret(secret), expiresAt, createdAt: now }
  const { id } = await tx.credential.create({ data })
  return { id, secret }
}

function credentialName(given: string): string {
  const name = toSingleLine(given, Number.POSITIVE_INFINITY) ?? ''
  if (/^.{1,200}$/u.test(name)) return name
  throw badInput({ name: 'name has 1 to 200 characters.' })
}

function checkExpiry(expiresAt: Date | null, latest: Date | undefined, now: Date): void {
  if (expiresAt && expiresAt <= now) throw badInput({ expiresAt: 'expiresAt is still to come.' })
  if (!expiresAt || !latest || expiresAt <= latest) return
  throw badInput({ expiresAt: `expiresAt is no later than the end of your own credential, ${latest.toISOString()}.` })
}

/** Nothing that is stored shows the secret. */
const withoutSecret = ({ id }: Made) => ({ id })

builder.mutationFields((t) => ({
  createApplicationPassword: t.field({
    type: NewCredentialPayload,
    description: 'Makes a password for HTTP Basic, to use in one application.',
    args: { input: t.arg({ type: CreateApplicationPasswordInput, required: true, description: 'What it is for.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(context, (tx) => make(tx, context, 'application_password', input), withoutSecret),
  }),
  createApiToken: t.field({
    type: NewCredentialPayload,
    description: 'Makes a Bearer token.',
    args: { input: t.arg({ type: CreateApiTokenInput, required: true, description: 'What it is for.' }) },
    resolve: (_root, { input }, context) =>
      mutateAccounts(context, (tx) => make(tx, context, 'api_token', input), withoutSecret),
  }),
  revokeCredential: t.field({
    type: RevokeCredentialPayload,
    description: 'Ends a credential for good: the next request that brings it is refused.',
    args: { input: t.arg({ type: RevokeCredentialInput, required: true, description: 'The credential.' }) },
    resolve: (_root, { input: { id } }, context) =>
      mutateAccounts(context, async (tx) => {
        if (!context.viewer) throw signInRequired()
        const where = { AND: [{ id }, visibleCredentials(context)] }
        if ((await tx.credential.count({ where })) === 0) throw notFound('credential', 'id')
        await tx.credential.updateMany({
          where: { AND: [where, { revokedAt: null }] },
          data: { revokedAt: context.now },
        })
        return { id }
      }),
  }),
}))
