// Mutations for passwords that people choose.
import { setTimeout } from 'node:timers/promises'
import { badInputError, DomainError, forbiddenError, notFoundError, signInRequiredError } from '../../basics/errors.ts'
import { checkNewPassword, replacePassword } from '../../service/auth/passwords.ts'
import { requirePermission, type Viewer } from '../../service/auth/permissions.ts'
import { chosenHashPrefix, hashChosenPassword } from '../../service/auth/secrets.ts'
import { addSignInLink } from '../../service/auth/sign-in-links.ts'
import { mailSignInLink } from '../../service/auth/sign-in-mail.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { mutateAccounts } from '../lifecycle/mutation.ts'
import { Payload, type WriteResult, writtenRecordField } from '../lifecycle/payload.ts'
import { idDescription, requireRecordId } from '../rules/identify.ts'
import { UserPayload } from './mutations.ts'
import { User } from './type.ts'

const ChangePasswordInput = builder.inputType('ChangePasswordInput', {
  description: 'A new password of your own.',
  fields: (t) => ({
    currentPassword: t.string({ description: 'Your present password. Required if you have chosen one before.' }),
    newPassword: t.string({ required: true, description: 'The new password, of 10 to 200 characters.' }),
  }),
})

const CreateSignInLinkInput = builder.inputType('CreateSignInLinkInput', {
  description: 'For whom the link is.',
  fields: (t) => ({ userId: t.id({ required: true, description: idDescription('user') }) }),
})

interface LinkResult extends WriteResult {
  readonly url?: string | undefined
  readonly mailedTo?: string | undefined
  readonly expiresAt?: Date
}

const SignInLinkPayload = builder.objectRef<LinkResult>('SignInLinkPayload').implement({
  description: 'Result of creating a sign-in link.',
  interfaces: [Payload],
  fields: (t) => ({
    user: t.field(writtenRecordField('user', User)),
    url: t.string({
      nullable: true,
      description:
        'The link, to be given to the user. Null if it was mailed, and if an Idempotency-Key is repeated, because only its hash is stored.',
      resolve: ({ url }) => url ?? null,
    }),
    mailedTo: t.string({
      nullable: true,
      description: 'The e-mail address to which the link was sent; null if it was not mailed.',
      resolve: ({ mailedTo }) => mailedTo ?? null,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the link expires; null if nothing was written.',
      resolve: ({ expiresAt }) => expiresAt ?? null,
    }),
  }),
})

builder.mutationFields((t) => ({
  changePassword: t.field({
    type: UserPayload,
    description:
      'Sets the password with which you sign in on a page, and ends all your other sessions. For every role.',
    args: { input: t.arg({ type: ChangePasswordInput, required: true, description: 'The new password.' }) },
    resolve: (_root, { input: { currentPassword, newPassword } }, context) => {
      const { viewer, now } = context
      const prepare = async () => {
        if (!viewer) throw signInRequiredError()
        requireLasting(viewer)
        checkNewPassword(newPassword, 'newPassword')
        await checkCurrentPassword(currentPassword ?? '', viewer.id, context)
        return { userId: viewer.id, hash: await hashChosenPassword(newPassword) }
      }
      return mutateAccounts(
        context,
        async (tx, { userId, hash }) => {
          await replacePassword(tx, { userId, hash, now, session: viewer?.authentication?.credential })
          return { id: userId }
        },
        undefined,
        prepare,
      )
    },
  }),
  createSignInLink: t.field({
    type: SignInLinkPayload,
    description:
      'Creates a link with which a user signs in once and chooses a password: an invitation for 7 days, or for one hour if the user has a password. It is mailed if the site sends mail and the user has an e-mail address. For administrators.',
    args: { input: t.arg({ type: CreateSignInLinkInput, required: true, description: 'For whom the link is.' }) },
    resolve: async (_root, { input }, context) => {
      const { settings, now } = context
      const result = await mutateAccounts(
        context,
        async (tx) => {
          requireLasting(requirePermission(context.viewer, 'manageUsers'))
          const id = requireRecordId('user', input.userId)
          const user = await tx.user.findUnique({ where: { id } })
          if (!user) throw notFoundError('user', 'id')
          const linkName =
            (await tx.credential.count({ where: chosenPasswordOf(id) })) > 0 ? 'New password' : 'Invitation'
          return {
            id,
            user,
            linkName,
            ...(await addSignInLink(tx, settings, { userId: id, name: linkName, now })),
          } as const
        },
        ({ id, expiresAt }) => ({ id, expiresAt }),
      )
      if (!('user' in result) || !result.user || !settings.smtpUrl) return result
      const { user, ...link } = result
      const { email } = user
      if (email === null) return link
      const mailing = mailSignInLink(settings, { ...user, email }, link).then(
        () => true,
        () => false,
      )
      // If the mail server has not accepted the mail by then, the response has the link. The mail may still arrive.
      const isMailed = await Promise.race([mailing, setTimeout(maxMailingMs, false, { ref: false })])
      return isMailed ? { ...link, url: undefined, mailedTo: email } : link
    },
  }),
}))

/** Milliseconds for which a response waits for the mail server, less than the default of REQUEST_TIMEOUT. */
const maxMailingMs = 4000

/** Throws forbidden for a credential that expires: what was stolen for a short time must not lead to a password. */
function requireLasting({ authentication }: Viewer): void {
  if (!authentication?.expiresAt) return
  throw forbiddenError('A credential that expires cannot set a password or create a link for one, which outlast it.')
}

const chosenPasswordOf = (userId: number) => ({ userId, hash: { startsWith: chosenHashPrefix }, revokedAt: null })

/** Throws badInputError for a wrong password. A failure counts as a failed sign-in, so that nobody can guess with a stolen session. */
async function checkCurrentPassword(password: string, userId: number, { db, checkPassword }: Context): Promise<void> {
  const chosen = await db.credential.findFirst({
    where: chosenPasswordOf(userId),
    select: { user: { select: { login: true } } },
  })
  if (!chosen) return
  try {
    await checkPassword?.(chosen.user.login, password)
  } catch (error) {
    const isWrong = error instanceof DomainError && error.code === 'UNAUTHENTICATED'
    throw isWrong ? badInputError({ currentPassword: 'currentPassword must be your present password.' }) : error
  }
}
