// Messages about slow steps of a start.

import type { Settings } from '../basics/env.ts'
import { databaseFolderOf } from '../engine/postgres/open-database.ts'

/** Prints a message about the start: as text on the console, or in production as a log line. */
export async function printStartMessage({ nodeEnv, logLevel }: Settings, text: string, worker?: number): Promise<void> {
  if (nodeEnv !== 'production') return console.log(text)
  // Imported here, because few starts need these modules.
  const [{ fastify }, { logOptions }] = await Promise.all([import('fastify'), import('../service/http/request-log.ts')])
  fastify(logOptions(logLevel, worker)).log.info(text)
}

export const creatingSiteMessage = ({ databaseUrl, seed }: Settings) =>
  `Creating the database in ${databaseFolderOf(databaseUrl)}${seed ? ' and loading sample events' : ''}. This first start takes up to a minute.`

export const migratingMessage = (count: number) =>
  `Migrating the database of an earlier version: ${count} ${count === 1 ? 'migration' : 'migrations'}.`

export const rebuildingMessage =
  'Rebuilding the texts of all records, because LANGUAGES, DEFAULT_LANGUAGE or the version has changed.'

export const firstLinkMessage = ({ login, url }: { readonly login: string; readonly url: string }) =>
  `No administrator has a password for the editor yet. With this link ${login} chooses one, once and within 24 hours:\n  ${url}`

/** Prints the URLs of the service. */
export function logAddresses({ publicUrl, restEnabled, restPrefix, restNamespace, graphiql }: Settings): void {
  const rest = `${publicUrl}${restPrefix}/${restNamespace}/events`
  console.log(
    [
      'The calendar is open:',
      `  Pages    ${publicUrl}/`,
      `  Editor   ${publicUrl}/edit/`,
      `  GraphQL  ${publicUrl}/graphql${graphiql ? '   (GraphiQL in a browser)' : ''}`,
      ...(restEnabled ? [`  REST     ${rest}`, `  Docs     ${publicUrl}/docs`] : []),
    ].join('\n'),
  )
}
