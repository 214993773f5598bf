import { type Command, Option } from 'commander'
import {
  CliCreateSignInLinkDocument,
  CliCreateUserDocument,
  CliDeleteUserDocument,
  CliUpdateUserDocument,
  type CliUserFragment,
  type UserRole,
} from '../../generated/graphql/graphql.ts'
import { Role } from '../../generated/prisma/enums.ts'
import { withArticle } from '../../kinds.ts'
import { formatTable, type OutputOptions, print } from '../print.ts'
import { withAccounts } from './accounts.ts'

const roles = Object.values(Role)

interface CreateOptions extends OutputOptions {
  readonly role: Role
  readonly name?: string
  readonly email?: string
}

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('manage users')

  user
    .command('create')
    .description('create a user; `credential create` creates a credential to sign in with')
    .argument('<login>', 'login, without colons; not case-sensitive')
    .addOption(
      new Option('--role <role>', 'role, which determines the permissions').choices(roles).makeOptionMandatory(),
    )
    .option('--name <name>', 'display name (default: the login)')
    .option('--email <address>', 'e-mail address')
    .action(async (login: string, { role, name = login, email, ...output }: CreateOptions) => {
      const input = { login, name, role: toUserRole(role), email }
      printUser(output, (await withAccounts(({ mutate }) => mutate(CliCreateUserDocument, input))).user)
    })

  user
    .command('list')
    .description('list all users in the order of creation')
    .action(async (output: OutputOptions) => {
      const users = (await withAccounts((accounts) => accounts.users())).map(toOutput)
      const rows = users.map(({ id, login, role, name, email }) => [String(id), login, role, name, email ?? ''])
      print(output, users, formatTable(['id', 'login', 'role', 'name', 'email'], rows))
    })

  user
    .command('role')
    .description('change the role of a user; the last administrator cannot be changed')
    .argument('<login>', 'login of the user')
    .addArgument(program.createArgument('<role>', 'role, which determines the permissions').choices(roles))
    .action(async (login: string, role: Role, output: OutputOptions) => {
      const { user } = await withAccounts(async ({ mutate, userOf }) =>
        mutate(CliUpdateUserDocument, { id: (await userOf(login)).id, role: toUserRole(role) }),
      )
      printUser(output, user)
    })

  user
    .command('link')
    .description('create a link with which a user signs in once and chooses a password')
    .argument('<login>', 'login of the user')
    .action(async (login: string, output: OutputOptions) => {
      const { url, mailedTo, expiresAt } = await withAccounts(async ({ mutate, userOf }) =>
        mutate(CliCreateSignInLinkDocument, { userId: (await userOf(login)).id }),
      )
      const until = expiresAt?.toISOString()
      print(output, { login, url, mailedTo, expiresAt }, [
        url === null ? `Mailed a link to ${mailedTo}, valid until ${until}` : `Valid once, until ${until}:\n  ${url}`,
      ])
    })

  user
    .command('remove')
    .description('delete a user and all credentials of that user; the last administrator cannot be deleted')
    .argument('<login>', 'login of the user')
    .option(
      '--content-to <login>',
      'user who becomes the author of the records of the deleted user; required if there are any',
    )
    .action(async (login: string, { contentTo, ...output }: OutputOptions & { contentTo?: string }) => {
      const { id, recordsHandedOver } = await withAccounts(async ({ mutate, userOf }) => {
        const { id } = await userOf(login)
        const newAuthor = contentTo === undefined ? undefined : await userOf(contentTo)
        return mutate(CliDeleteUserDocument, { id, contentTo: newAuthor?.id })
      })
      const transfer = contentTo === undefined ? '' : `; ${recordsHandedOver} records now belong to ${contentTo}`
      print(output, { id, recordsHandedOver }, [`Removed ${login}${transfer}`])
    })
}

const toUserRole = (role: Role) => role.toUpperCase() as UserRole

/** Converts a user for output: with the role in lower case, as in the option --role. */
const toOutput = ({ role, login, ...user }: CliUserFragment) => ({
  ...user,
  login: login ?? '',
  role: (role ?? '').toLowerCase(),
})

function printUser(output: OutputOptions, user: CliUserFragment | null): void {
  if (!user) throw new Error('The user was deleted by another request in the meantime.')
  const written = toOutput(user)
  print(output, written, [`${written.login} is ${withArticle(written.role)}`])
}
