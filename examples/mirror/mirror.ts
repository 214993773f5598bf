// Keeps a copy of all records of a calendar in an SQLite file, and needs nothing but Node.js 24:
//   node mirror.ts https://calendar.example.org/graphql copy.db      once
//   node mirror.ts https://calendar.example.org/graphql copy.db 60   every 60 seconds
// CALENDAR_TOKEN is an API token; without it, the copy has what visitors see.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

interface Page {
  readonly token: string
  readonly hasMore: boolean
  readonly isSnapshot: boolean
  readonly changes: readonly { type: 'CHANGED' | 'REMOVED'; kind: string; databaseId: number; record: object | null }[]
}

const [url, file, seconds] = process.argv.slice(2)
if (!url || !file) throw new Error('Usage: node mirror.ts <URL of GraphQL> <file> [seconds]')

const query = `query Mirror($after: String) {
  changes(after: $after, first: 50) {
    token hasMore isSnapshot
    changes { type kind databaseId record {
      ... on Event { title slug url status descriptionHtml startsAt endsAt startsLocal endsLocal timeZone allDay eventStatus
        cost { text } image { url altText } venues { databaseId } organizers { databaseId } categories { databaseId }
        tags { databaseId } author { name } }
      ... on Venue { name slug url descriptionHtml address zip city country coordinates { latitude longitude } }
      ... on Organizer { name slug url descriptionHtml email phone website }
      ... on Category { name slug url count parent { databaseId } }
      ... on Tag { name slug url count }
    } }
  }
}`

const db = new DatabaseSync(file, { timeout: 5000 })
db.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS record (kind TEXT, id INTEGER, copy INTEGER, json TEXT, PRIMARY KEY (kind, id));
  CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY CHECK (one = 1), token TEXT, copy INTEGER);
  INSERT OR IGNORE INTO state VALUES (1, NULL, 1);
`)
const state = db.prepare('SELECT token, copy FROM state')
const keep = db.prepare('UPDATE state SET token = ?')
const put = db.prepare('INSERT OR REPLACE INTO record VALUES (?, ?, (SELECT copy FROM state), ?)')
const remove = db.prepare('DELETE FROM record WHERE kind = ? AND id = ?')
/** Begins with another complete copy. The records of the last one stay until it is complete. */
const startAgain = db.prepare('UPDATE state SET token = NULL, copy = copy + 1')
const removeLastCopy = db.prepare('DELETE FROM record WHERE copy < (SELECT copy FROM state)')

/** Reads the page after the token. Undefined if the token has expired. */
async function readPage(token: unknown): Promise<Page | undefined> {
  const { CALENDAR_TOKEN } = process.env
  const response = await fetch(url ?? '', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(CALENDAR_TOKEN && { authorization: `Bearer ${CALENDAR_TOKEN}` }),
    },
    body: JSON.stringify({ query, variables: { after: token } }),
    signal: AbortSignal.timeout(60_000),
  })
  const { data, errors = [] } = await response.json()
  if (errors[0]?.extensions?.code === 'SYNC_TOKEN_EXPIRED') return undefined
  // A page with errors lacks some records, so nothing of it is stored.
  if (errors.length > 0) throw new Error(errors[0].message)
  return data.changes
}

/** Stores the records and the token together: whenever the process is killed, they belong to each other. */
function store({ changes, token, hasMore, isSnapshot }: Page): void {
  db.exec('BEGIN IMMEDIATE')
  for (const { type, kind, databaseId, record } of changes) {
    if (type === 'REMOVED') remove.run(kind, databaseId)
    else if (record) put.run(kind, databaseId, JSON.stringify(record))
  }
  keep.run(token)
  if (isSnapshot && !hasMore) removeLastCopy.run()
  db.exec('COMMIT')
}

for (;;) {
  try {
    const page = await readPage(state.get()?.token ?? null)
    if (page) store(page)
    else startAgain.run()
    if (!page || page.hasMore) continue
    if (!seconds) break
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    if (!seconds) throw error
    console.error(String(error))
  }
  await setTimeout(Number(seconds) * 1000)
}
