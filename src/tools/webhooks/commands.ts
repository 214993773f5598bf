import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseJson } from '../../basics/parse-json.ts'
import {
  CliCreateWebhookDocument,
  CliDeleteWebhookDocument,
  CliPingWebhookDocument,
  CliReplayWebhookDeliveriesDocument,
  type CliWebhookFragment,
  CliWebhooksDocument,
  type LanguageCode,
} from '../../generated/graphql/graphql.ts'
import { idReader, readInstant, withAccounts } from '../accounts/accounts.ts'
import { formatTable, type OutputOptions, print } from '../print.ts'

interface CreateOptions extends OutputOptions {
  readonly user?: string
  readonly filter?: object
  readonly language?: string
}

interface ReplayOptions extends OutputOptions {
  readonly from?: Date
  readonly to?: Date
  readonly state?: 'failed' | 'delivered'
}

export function addWebhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('manage webhooks, which tell endpoints of changes')
  const id = () =>
    program.createArgument('<id>', 'ID of the webhook, from `webhook list`').argParser(idReader('webhook list'))

  webhook
    .command('list')
    .description('list webhooks, without their secrets')
    .action(async (output: OutputOptions) => {
      const { webhooks } = await withAccounts(({ execute }) => execute(CliWebhooksDocument, {}))
      const all = webhooks.nodes.map(toOutput)
      const rows = all.map(({ id, url, user, state, waiting, failed }) =>
        [id, url, user ?? '-', state, waiting, failed].map(String),
      )
      print(output, all, formatTable(['id', 'url', 'user', 'state', 'waiting', 'failed'], rows))
    })

  webhook
    .command('create')
    .description('create a webhook; the secret that verifies its messages is shown only once')
    .argument('<url>', 'where messages are sent')
    .option('--user <login>', 'tell of what this user can see (default: of what visitors can see)')
    .option('--filter <json>', 'a ChangeFilter, such as {"kinds": ["EVENT"]} (default: all records)', readJson)
    .option('--language <code>', 'language of the filter and of URLs (default: that of the site)')
    .action(async (url: string, { user, filter, language, ...output }: CreateOptions) => {
      const { webhook: created, secret } = await withAccounts(async ({ mutate, userOf }) => {
        const userId = user === undefined ? undefined : (await userOf(user)).id
        const code = language?.toUpperCase().replaceAll('-', '_') as LanguageCode | undefined
        return mutate(CliCreateWebhookDocument, { url, filter, language: code, userId })
      })
      print(output, { ...(created && toOutput(created)), secret }, [
        'The new webhook. The secret is not shown again.',
        `  id      ${created?.id}`,
        `  secret  ${secret}`,
      ])
    })

  webhook
    .command('delete')
    .description('delete a webhook and its deliveries')
    .addArgument(id())
    .action(async (id: number, output: OutputOptions) => {
      await withAccounts(({ mutate }) => mutate(CliDeleteWebhookDocument, { id }))
      print(output, { id }, [`Deleted ${id}`])
    })

  webhook
    .command('ping')
    .description('send a test message and show the response')
    .addArgument(id())
    .action(async (id: number, output: OutputOptions) => {
      const { delivery } = await withAccounts(({ mutate }) => mutate(CliPingWebhookDocument, { id }))
      if (delivery?.state !== 'DELIVERED') throw new Error(`The endpoint did not accept it. ${delivery?.lastError}`)
      print(output, { id, status: delivery.lastStatus }, [`The endpoint responded with status ${delivery.lastStatus}`])
    })

  webhook
    .command('replay')
    .description('send messages of a time again, except those with a later one about the same record')
    .addArgument(id())
    .requiredOption('--from <when>', 'only messages from this time on, such as 2027-01-31T00:00:00Z', readInstant)
    .option('--to <when>', 'only messages before this time', readInstant)
    .addOption(new Option('--state <state>', 'only messages in this state').choices(['failed', 'delivered']))
    .action(async (id: number, { from, to, state, ...output }: ReplayOptions) => {
      const input = { id, from, to, state: state && (state.toUpperCase() as 'FAILED' | 'DELIVERED') }
      const { count } = await withAccounts(({ mutate }) => mutate(CliReplayWebhookDeliveriesDocument, input))
      print(output, { id, count }, [`${count} messages will be sent`])
    })
}

const toOutput = ({ user, enabled, waiting, failed, disabledReason, ...webhook }: CliWebhookFragment) => ({
  ...webhook,
  user: user?.login ?? null,
  state: enabled ? 'enabled' : 'disabled',
  disabledReason,
  waiting: waiting.totalCount,
  failed: failed.totalCount,
})

function readJson(text: string): object {
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null) return value
  throw new InvalidArgumentError('Give a JSON object, such as {"kinds": ["EVENT"]}.')
}
