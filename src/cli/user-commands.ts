import { type Command, Option } from 'commander'
import { settings } from '../env.ts'
import {
  CliCreateUserDocument,
  CliDeleteUserDocument,
  CliUpdateUserDocument,
  type CliUserFragment,
  type UserRole,
} from '../generated/graphql/graphql.ts'
import { Role } from '../generated/prisma/enums.ts'
import { checkDone, withAccounts } from './accounts.ts'
import { json, type Output, print, table } from './print.ts'

const roles = Object.values(Role)

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('manage who writes here')

  user
    .command('create')
    .description('add a user, who signs in with what `credential create` makes')
    .argument('<login>', 'name to sign in with, without colon; its case does not matter')
    .addOption(new Option('--role <role>', 'what the user may do').choices(roles).makeOptionMandatory())
    .option('--name <name>', 'name to show; by default the login')
    .option('--email <address>', 'e-mail address')
    .option(...json)
    .action(async (login: string, { role, name, email, ...output }: Output & CreateOptions) => {
      const input = { login, name: name ?? login, role: toUserRole(role), email }
      const { user } = await withAccounts(settings(), async ({ ask }) => {
        const answer = await ask(CliCreateUserDocument, { input })
        return checkDone(answer.outcome)
      })
      printUser(output, user)
    })

  user
    .command('list')
    .description('show all users, in the order they came')
    .option(...json)
    .action(async (output: Output) => {
      const users = (await withAccounts(settings(), (accounts) => accounts.users())).map(shown)
      const rows = users.map(({ id, login, role, name, email }) => [String(id), login, role, name, email ?? ''])
      print(output, users, table(['id', 'login', 'role', 'name', 'email'], rows))
    })

  user
    .command('role')
    .description('give a user another role; the last administrator stays one')
    .argument('<login>', 'login of the user')
    .addArgument(program.createArgument('<role>', 'what the user may do').choices(roles))
    .option(...json)
    .action(async (login: string, role: Role, output: Output) => {
      const { user } = await withAccounts(settings(), async ({ ask, userOf }) => {
        const { id } = await userOf(login)
        const answer = await ask(CliUpdateUserDocument, { input: { id, role: toUserRole(role) } })
        return checkDone(answer.outcome)
      })
      printUser(output, user)
    })

  user
    .command('remove')
    .description('delete a user with all credentials; the last administrator stays')
    .argument('<login>', 'login of the user')
    .option('--content-to <login>', 'who gets what this user wrote; needed if there is anything')
    .option(...json)
    .action(async (login: string, { contentTo, ...output }: Output & { contentTo?: string }) => {
      const { id, recordsHandedOver } = await withAccounts(settings(), async ({ ask, userOf }) => {
        const removed = await userOf(login)
        const heir = contentTo === undefined ? undefined : await userOf(contentTo)
        const { outcome } = await ask(CliDeleteUserDocument, { input: { id: removed.id, contentTo: heir?.id } })
        return checkDone(outcome)
      })
      const told = contentTo === undefined ? '' : `; ${recordsHandedOver} records went to ${contentTo}`
      print(output, { id, recordsHandedOver }, [`Removed ${login}${told}`])
    })
}

interface CreateOptions {
  readonly role: Role
  readonly name?: string
  readonly email?: string
}

const toUserRole = (role: Role) => role.toUpperCase() as UserRole

/** Roles are written as they are given. */
const shown = ({ role, login, ...user }: CliUserFragment) => ({
  ...user,
  login: login ?? '',
  role: (role ?? '').toLowerCase(),
})

function printUser(output: Output, user: CliUserFragment | null): void {
  if (!user) throw new Error('Somebody else removed the user meanwhile.')
  const { login, role, ...rest } = shown(user)
  print(output, { ...rest, login, role }, [
    `${login} is ${role === 'subscriber' || role === 'contributor' ? 'a' : 'an'} ${role}`,
  ])
}
