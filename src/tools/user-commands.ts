import { type Command, Option } from 'commander'
import { settings } from '../basics/env.ts'
import {
  CliCreateUserDocument,
  CliDeleteUserDocument,
  CliUpdateUserDocument,
  type CliUserFragment,
  type UserRole,
} from '../generated/graphql/graphql.ts'
import { Role } from '../generated/prisma/enums.ts'
import { requireSuccess, withAccounts } from './accounts.ts'
import { json, type Output, print, table } from './print.ts'

const roles = Object.values(Role)

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
    .option(...json)
    .action(async (login: string, { role, name, email, ...output }: Output & CreateOptions) => {
      const input = { login, name: name ?? login, role: toUserRole(role), email }
      const { user } = await withAccounts(settings(), async ({ execute }) => {
        const data = await execute(CliCreateUserDocument, { input })
        return requireSuccess(data.outcome)
      })
      printUser(output, user)
    })

  user
    .command('list')
    .description('list all users in the order of creation')
    .option(...json)
    .action(async (output: Output) => {
      const users = (await withAccounts(settings(), (accounts) => accounts.users())).map(toOutput)
      const rows = users.map(({ id, login, role, name, email }) => [String(id), login, role, name, email ?? ''])
      print(output, users, table(['id', 'login', 'role', 'name', 'email'], rows))
    })

  user
    .command('role')
    .description('change the role of a user; the last administrator cannot be changed')
    .argument('<login>', 'login of the user')
    .addArgument(program.createArgument('<role>', 'role, which determines the permissions').choices(roles))
    .option(...json)
    .action(async (login: string, role: Role, output: Output) => {
      const { user } = await withAccounts(settings(), async ({ execute, userOf }) => {
        const { id } = await userOf(login)
        const data = await execute(CliUpdateUserDocument, { input: { id, role: toUserRole(role) } })
        return requireSuccess(data.outcome)
      })
      printUser(output, user)
    })

  user
    .command('remove')
    .description('delete a user and all credentials of that user; the last administrator cannot be deleted')
    .argument('<login>', 'login of the user')
    .option(
      '--content-to <login>',
      'user who becomes the author of the records of the deleted user; required if there are any',
    )
    .option(...json)
    .action(async (login: string, { contentTo, ...output }: Output & { contentTo?: string }) => {
      const { id, recordsHandedOver } = await withAccounts(settings(), async ({ execute, userOf }) => {
        const user = await userOf(login)
        const newAuthor = contentTo === undefined ? undefined : await userOf(contentTo)
        const { outcome } = await execute(CliDeleteUserDocument, { input: { id: user.id, contentTo: newAuthor?.id } })
        return requireSuccess(outcome)
      })
      const transfer = contentTo === undefined ? '' : `; ${recordsHandedOver} records now belong to ${contentTo}`
      print(output, { id, recordsHandedOver }, [`Removed ${login}${transfer}`])
    })
}

interface CreateOptions {
  readonly role: Role
  readonly name?: string
  readonly email?: string
}

const toUserRole = (role: Role) => role.toUpperCase() as UserRole

/** Roles are in lower case, as in the options. */
const toOutput = ({ role, login, ...user }: CliUserFragment) => ({
  ...user,
  login: login ?? '',
  role: (role ?? '').toLowerCase(),
})

function printUser(output: Output, user: CliUserFragment | null): void {
  if (!user) throw new Error('The user was deleted by another request in the meantime.')
  const { login, role, ...rest } = toOutput(user)
  print(output, { ...rest, login, role }, [
    `${login} is ${role === 'subscriber' || role === 'contributor' ? 'a' : 'an'} ${role}`,
  ])
}
