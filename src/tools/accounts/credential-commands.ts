import type { Command } from 'commander'
import {
  CliCreateApiTokenDocument,
  CliCreateApplicationPasswordDocument,
  type CliCredentialFragment,
  CliCredentialsDocument,
  CliRevokeCredentialDocument,
} from '../../generated/graphql/graphql.ts'
import { formatTable, type OutputOptions, print } from '../print.ts'
import { idReader, readInstant, withAccounts } from './accounts.ts'

interface CreateOptions extends OutputOptions {
  readonly name: string
  readonly token?: true
  readonly expires?: Date
}

export function addCredentialCommands(program: Command): void {
  const credential = program.command('credential').description('manage application passwords and API tokens')

  credential
    .command('create')
    .description('create an application password or an API token; the secret is shown only once')
    .argument('<login>', 'login of the user')
    .requiredOption('--name <name>', 'name of the credential')
    .option('--token', 'create an API token, which is sent as `Authorization: Bearer <token>`')
    .option('--expires <when>', 'when the token expires, such as 2027-01-31T00:00:00Z', readInstant)
    .action(async (login: string, { name, token, expires, ...output }: CreateOptions) => {
      if (expires && !token) throw new Error('An application password does not expire. Add --token or omit --expires.')
      const created = await withAccounts(async ({ mutate, userOf }) => {
        const { id: userId } = await userOf(login)
        return token
          ? mutate(CliCreateApiTokenDocument, { name, userId, expiresAt: expires })
          : mutate(CliCreateApplicationPasswordDocument, { name, userId })
      })
      const { secret } = created
      print(output, { ...(created.credential && toOutput(created.credential)), login, secret }, [
        'The new credential. The secret is not shown again.',
        `  login     ${login}`,
        `  ${token ? 'token   ' : 'password'}  ${secret}`,
      ])
    })

  credential
    .command('list')
    .description('list credentials, including revoked ones, without their secrets')
    .argument('[login]', 'login of a user (default: all users)')
    .action(async (login: string | undefined, output: OutputOptions) => {
      const credentials = await withAccounts(async ({ execute, users, userOf }) => {
        const lists = (login === undefined ? await users() : [await userOf(login)]).map(async (user) => {
          const data = await execute(CliCredentialsDocument, { userId: user.id })
          return (data.user.credentials ?? []).map((item) => ({ ...toOutput(item), login: user.login ?? '' }))
        })
        return (await Promise.all(lists)).flat()
      })
      const rows = credentials.map(({ id, login, kind, name, createdAt, lastUsedAt, expiresAt, revokedAt }) => [
        ...[String(id), login, kind, name],
        ...[createdAt, lastUsedAt, expiresAt, revokedAt].map((date) => date?.toISOString() ?? '-'),
      ])
      print(
        output,
        credentials,
        formatTable(['id', 'login', 'kind', 'name', 'created', 'used', 'expires', 'revoked'], rows),
      )
    })

  credential
    .command('revoke')
    .description('revoke a credential permanently')
    .argument('<id>', 'ID of the credential, from `credential list`', idReader('credential list'))
    .action(async (id: number, output: OutputOptions) => {
      const { credential: revoked } = await withAccounts(({ mutate }) => mutate(CliRevokeCredentialDocument, { id }))
      print(output, revoked && toOutput(revoked), [`Revoked ${id}${revoked ? `, ${revoked.name}` : ''}`])
    })
}

const toOutput = ({ kind, ...item }: CliCredentialFragment) => ({ ...item, kind: kind.toLowerCase() })
