// Every command block of the documents, run in a copy of the repository with one service for all pages; where a page
// shows an output, it is compared. `npm ci` is left out: see clone.ts.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { type Block, documents, masked, readBlocks } from './blocks.ts'
import { type Clone, cloneRepository } from './clone.ts'

const isServer = inject('server')

/** The outputs in the documents depend on this order of requests. */
const first = ['README.md', 'docs/getting-started.md']
/** walk-throughs.test.ts follows this one. */
const contributing = 'docs/contributing.md'
const others = documents.filter((file) => ![...first, contributing].includes(file))
const blocks = [...first, ...others]
  .flatMap(readBlocks)
  .filter(({ language }) => language === 'sh' || language === 'console')

/**
 * Blocks of the language `console`, by their first lines: commands for other machines. Only their syntax is checked. Those of
 * backups run in test/process/backups.test.ts and earlier-dumps.test.ts.
 */
const onlyChecked: readonly string[] = [
  'npm run dev',
  'npm run -s cli -- sample remove',
  'npm run -s cli -- audit --from 2027-01-01 --user admin --format csv --file /tmp/audit.csv',
  'node_modules/.bin/node bench/growth.ts --sizes 1000,100000,1000000 postgresql://…/small postgresql://…/large postgresql://…/million',
  'git clone <repository> /srv/calendar && cd /srv/calendar',
  'NODE_ENV=production node --max-semi-space-size=8 --import ./src/engine/processes/preload.js src/server.ts',
  'install -d -o calendar node_modules/.cache/event-calendar-gateway',
  'chmod 600 /etc/calendar.env',
  'systemd-run --pipe --wait --collect --uid=calendar --working-directory=/srv/calendar -p EnvironmentFile=/etc/calendar.env -E IMAGES_DIR=/var/lib/calendar/images /usr/bin/node src/tools/main.ts user list',
  'docker build -t calendar .',
  "POSTGRES_PASSWORD='choose one' docker compose up --build",
  "kubectl create secret generic calendar --from-literal=DATABASE_URL=postgresql://calendar:…@database/calendar --from-literal=ADMIN_LOGIN=admin --from-literal=ADMIN_PASSWORD='choose one'",
  'npm install graphql graphql-sse @graphql-typed-document-node/core',
  'npm install @apollo/client apollo-upload-client rxjs',
  'npm install urql @urql/core @urql/exchange-graphcache',
  'npm run -s cli -- import-ics https://example.org/calendar.ics --dry-run',
  "export LEGACY_USER=editor LEGACY_PASSWORD='abcd efgh ijkl mnop'",
  'npm run -s cli -- import-site https://old.example.org --languages fr=https://old.example.org/fr,es=https://old.example.org/es --authors authors.json',
  'npm run -s cli -- verify-site https://old.example.org https://new.example.org --sample 500',
  'pg_dump -Fc -f calendar.dump calendar',
  'createdb restored',
  'pg_dump -f calendar.sql calendar',
  'pg_dump --schema-only -f schema.sql calendar',
  'createdb restored',
  'createdb restored',
  'git worktree add ../calendar-d2f90f3 d2f90f3',
  "psql -X -d 'host=old dbname=calendar' -c 'CREATE PUBLICATION calendar FOR ALL TABLES'",
  `psql -X -At -d restored -c "SELECT srrelid::regclass FROM pg_subscription_rel WHERE srsubstate <> 'r'"`,
  `psql -X -At -d 'host=old dbname=calendar' -c "SELECT slot_name FROM pg_replication_slots WHERE slot_name = 'calendar' AND confirmed_flush_lsn < pg_current_wal_lsn()"`,
  "pg_dump --data-only -t '*_seq' -f numbers.sql 'host=old dbname=calendar'",
  'npm run example',
]

/** Starts the service, and compares what it prints. */
async function runStart(clone: Clone, { output }: Block): Promise<void> {
  const printed = await clone.start()
  const shown = isServer ? output?.replace(/^Creating the database.*\n/m, '') : output
  if (shown !== undefined) expect(masked(printed)).toBe(masked(shown))
}

async function runCommands(clone: Clone, { text, output }: Block): Promise<void> {
  const { code, out, err } = await clone.run(text)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  if (output !== undefined) expect(masked(out)).toBe(masked(output))
}

async function checkSyntax(clone: Clone, { text }: Block): Promise<void> {
  const { code, err } = await clone.run(`bash -n <<'END'\n${text}END`)
  expect({ code, err }).toEqual({ code: 0, err: '' })
}

/** Short runs of the benchmark, the second of which copies the database of the first; their numbers depend on the machine. */
async function runBenchmark(clone: Clone, { text }: Block): Promise<void> {
  const { url, drop } = await emptyDatabaseUrl('')
  const short = text
    .replace('postgresql://…/empty', url)
    .replace(
      'postgresql://…/postgres --template large --events 100000',
      `${url} --template ${new URL(url).pathname.slice(1)}`,
    )
    .replaceAll('--seconds 2', '--seconds 0.2 --rounds 1 --events 200 --connections 2')
  const { code, out, err } = await clone.run(short)
  await drop()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.match(/^import, events per second/gm)).toHaveLength(2)
}

const needsServer = ({ language, text }: Block) => language === 'sh' && text.includes('postgresql://')

/** The embedded database serves one process, so these commands run after the others, when the service is stopped. */
const stopsService = (block: Block) => block.language === 'sh' && block.text.includes('npm run') && !needsServer(block)

async function run(clone: Clone, block: Block): Promise<void> {
  if (block.language === 'console') return checkSyntax(clone, block)
  if (needsServer(block)) return runBenchmark(clone, block)
  if (block.text.includes('npm start')) return runStart(clone, block)
  if (stopsService(block)) await clone.stop()
  else await clone.start()
  return runCommands(clone, block)
}

describe('commands of the documents', { shuffle: false }, () => {
  let clone: Clone
  let drop: () => Promise<void>
  beforeAll(async () => {
    const folder = await emptyDatabaseUrl('')
    drop = folder.drop
    clone = await cloneRepository(isServer ? { DATABASE_URL: folder.url, SEED: 'on' } : {})
    mkdirSync(join(clone.folder, 'data'), { recursive: true })
  })
  afterAll(async () => {
    await clone?.drop()
    await drop?.()
  })

  for (const block of [...blocks.filter((each) => !stopsService(each)), ...blocks.filter(stopsService)]) {
    const name = `${block.file}:${block.line}: ${block.text.slice(0, 60).replaceAll('\n', ' ')}`
    test.skipIf(needsServer(block) && !isServer)(name, async () => {
      await run(clone, block)
    })
  }

  test('leave nothing that git would show', () => {
    expect(clone.changes()).not.toMatch(/^(\?\?| M)/m)
  })
})

test('all commands that are not run are listed', () => {
  const listed = blocks.filter(({ language }) => language === 'console')
  expect(listed.map(({ text }) => text.split('\n')[0])).toEqual(onlyChecked)
})
