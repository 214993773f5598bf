// What is measured: the service by both doors, and the yardsticks.
import { ask, type Target } from './drive.ts'
import { freePort, startServer } from './processes.ts'
import { listQuery, singleQuery } from './queries.ts'
import { site } from './write-texts.ts'

export async function startService(database: string): Promise<{ list: Buffer; targets: Target[] }> {
  const port = await freePort()
  const root = `http://127.0.0.1:${port}`
  await startServer('src/server.ts', port, [], {
    DATABASE_URL: database,
    HOST: '127.0.0.1',
    PORT: String(port),
    LANGUAGES: site.languages.join(),
    DEFAULT_LANGUAGE: site.defaultLanguage,
    SEED: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
  })
  const rest = `${root}/cal/events/v1/events`
  const list = await ask({ name: 'list REST', url: rest })
  const [id] = restList(list.toString()).ids
  if (id === undefined) throw new Error('The list is empty')
  const targets = [
    { name: 'list REST', url: rest },
    { name: 'list GraphQL', url: `${root}/graphql`, body: listQuery(new Date()) },
    { name: 'one event REST', url: `${rest}/${id}` },
    { name: 'one event GraphQL', url: `${root}/graphql`, body: singleQuery(id) },
  ]
  return { list, targets }
}

export async function startYardsticks(database: string, file: string): Promise<Target[]> {
  const port = await freePort()
  await startServer('bench/yardsticks.ts', port, [database, file, String(port)])
  return ['static', 'sql'].map((name) => ({ name, url: `http://127.0.0.1:${port}/${name}` }))
}

/** Throws unless every list is the same one and has events. */
export async function checkSame(targets: readonly Target[]): Promise<void> {
  const answers = new Set<string>()
  for (const target of targets) {
    const answer = (await ask(target)).toString()
    const list = lists[target.name]?.(answer)
    if (list?.ids.length === 0) throw new Error(`${target.name} is empty`)
    if (list) answers.add(JSON.stringify(list))
  }
  if (answers.size > 1) throw new Error(`The lists differ: ${[...answers].join(' ')}`)
}

interface List {
  readonly total: number
  readonly ids: readonly number[]
}

const lists: Readonly<Record<string, (answer: string) => List>> = {
  'list REST': restList,
  'list GraphQL': (answer) => {
    const { data } = JSON.parse(answer) as { data: { eventsPage: { items: { databaseId: number }[]; total: number } } }
    return { total: data.eventsPage.total, ids: data.eventsPage.items.map((event) => event.databaseId) }
  },
  static: restList,
  sql: restList,
}

function restList(answer: string): List {
  const { events, total } = JSON.parse(answer) as { events: { id: number }[]; total: number }
  return { total, ids: events.map((event) => event.id) }
}
