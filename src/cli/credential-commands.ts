import { type Command, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { settings } from '../env.ts'
import {
  CliCreateApiTokenDocument,
  CliCreateApplicationPasswordDocument,
  type CliCredentialFragment,
  CliCredentialsDocument,
  CliRevokeCredentialDocument,
} from '../generated/graphql/graphql.ts'
import { checkDone, withAccounts } from './accounts.ts'
import { json, type Output, print, table } from './print.ts'

interface CreateOptions {
  readonly name: string
  readonly token?: true
  readonly expires?: Date
}

export function addCredentialCommands(program: Command): void {
  const credential = program.command('credential').description('manage what users sign in with')

  credential
    .command('create')
    .description('make an application password, or an API token; its secret is shown this once')
    .argument('<login>', 'login of the user it is for')
    .requiredOption('--name <name>', 'what it is for')
    .option('--token', 'an API token, to be sent as `Authorization: Bearer`')
    .option('--expires <when>', 'when the token stops to be good, like 2027-01-31T00:00:00Z', readInstant)
    .option(...json)
    .action(async (login: string, { name, token, expires, ...output }: Output & CreateOptions) => {
      if (expires && !token) throw new Error('An application password does not expire: give --token, or no --expires.')
      const made = await withAccounts(settings(), async ({ ask, userOf }) => {
        const { id: userId } = await userOf(login)
        const { outcome } = token
          ? await ask(CliCreateApiTokenDocument, { input: { name, userId, expiresAt: expires } })
          : await ask(CliCreateApplicationPasswordDocument, { input: { name, userId } })
        return checkDone(outcome)
      })
      const { secret } = made
      const what = token ? 'token   ' : 'password'
      const lines = ['The credential, shown only now:', `  login     ${login}`, `  ${what}  ${secret}`]
      print(output, { ...(made.credential && shown(made.credential)), login, secret }, lines)
    })

  credential
    .command('list')
    .description('show what users sign in with, revoked ones too; never the secrets')
    .argument('[login]', 'login of one user; by default all')
    .option(...json)
    .action(async (login: string | undefined, output: Output) => {
      const credentials = await withAccounts(settings(), async ({ ask, users, userOf }) => {
        const lists = (login === undefined ? await users() : [await userOf(login)]).map(async (user) => {
          const answer = await ask(CliCredentialsDocument, { userId: user.id })
          return (answer.user.credentials ?? []).map((item) => ({ ...shown(item), login: user.login ?? '' }))
        })
        return (await Promise.all(lists)).flat()
      })
      const rows = credentials.map((item) => [
        String(item.id),
        item.login,
        item.kind,
        item.name,
        ...[item.createdAt, item.lastUsedAt, item.expiresAt, item.revokedAt].map((date) => date?.toISOString() ?? '-'),
      ])
      print(output, credentials, table(['id', 'login', 'kind', 'name', 'created', 'used', 'expires', 'revoked'], rows))
    })

  credential
    .command('revoke')
    .description('end a credential for good')
    .argument('<id>', 'its number, from `credential list`', readId)
    .option(...json)
    .action(async (id: number, output: Output) => {
      const revoked = await withAccounts(settings(), async ({ ask }) => {
        const { outcome } = await ask(CliRevokeCredentialDocument, { input: { id } })
        return checkDone(outcome).credential
      })
      print(output, revoked && shown(revoked), [`Revoked ${id}${revoked ? `, ${revoked.name}` : ''}`])
    })
}

const shown = ({ kind, ...item }: CliCredentialFragment) => ({ ...item, kind: kind.toLowerCase() })

function readInstant(text: string): Date {
  if (z.iso.datetime({ offset: true }).safeParse(text).success) return new Date(text)
  throw new InvalidArgumentError('Give an instant like 2027-01-31T00:00:00Z.')
}

function readId(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a number from `credential list`.')
}
