// Which test files a run leaves out.
import { execFileSync } from 'node:child_process'

/**
 * Tests of what differs on a PostgreSQL server: statements and plans, processes, concurrency, collations, notifications. Of
 * what only passes through the database, one path for each API. `npm run test:full` runs all others there, too.
 */
export const serverTests: readonly string[] = [
  'test/{db,process,operations,subscriptions,cdn,deployment}/**',
  'test/{db,prepared,zone-changes}.test.ts',
  'test/cache/{invalidation,many-changes,response-cache,slow-notifications,staleness}.test.ts',
  'test/limits/{connections,database-work,rates,shared-rates,timeouts}.test.ts',
  'test/filters/{index,near,oracle,related,*-of-many}.test.ts',
  'test/graphql/{keyset,paging,preloaded-records,statements}.test.ts',
  'test/graphql/execution/random-documents.test.ts',
  'test/writing/{event-statements,graphql-concurrency,graphql-rollback,idempotency,rest-duplicates,term-deletion,timeout,write-outcome}.test.ts',
  'test/content/{slug,term-counts,text,translations}.test.ts',
  'test/contract/graphql-and-rest.test.ts',
  'test/accounts/{administrator,start}.test.ts',
  'test/{import-site/import-site,pages/records,feeds/streamed,discovery/sitemap,embed/*}.test.ts',
]

/** Tests that need not run with both databases. SERVER_FOLLOWS says that the run on a server follows, which has them. */
export const serverSuffices: readonly string[] = [
  'test/process/{announcements,audit,garbage,loading,mirror,missing-texts,wait-for-database,webhooks}.test.ts',
  'test/{cache/many-changes,operations/database-unreachable,subscriptions/many}.test.ts',
]

/**
 * Tests of what depends on the locale of the database: order, case, search and slugs. An index that serves a statement in C.UTF-8
 * serves it in C, too, where indexes of text also find prefixes.
 */
export const localeTests: readonly string[] = [
  'test/filters/{orders*,search*,spellings,cursors}.test.ts',
  'test/db/compiled-reads.test.ts',
  'test/graphql/paging.test.ts',
  'test/content/{fold,slug,text,translations}.test.ts',
  'test/contract/{examples,order}.test.ts',
  'test/writing/{graphql-slugs,rest-slugs}.test.ts',
  'test/pages/any-title.test.ts',
]

interface Dependent {
  readonly tests: string
  /** Files and folders whose changes the tests are for. Other tests notice changes of other code; the gate runs all tests. */
  readonly inputs: readonly string[]
}

const packages = ['package.json', 'package-lock.json']

const dependents: readonly Dependent[] = [
  { tests: 'test/docs/commands.test.ts', inputs: ['README.md', 'docs', 'test/docs', 'package.json'] },
  {
    tests: 'test/docs/walk-throughs.test.ts',
    inputs: ['docs/contributing.md', 'docs/walk-throughs', 'test/docs', 'package.json'],
  },
  { tests: 'test/clients/**', inputs: ['docs/graphql.md', 'examples', 'schema.graphql', 'test/clients', ...packages] },
  {
    tests: 'test/process/**',
    inputs: [
      'src/server.ts',
      'src/app.ts',
      'src/engine',
      'src/service',
      'prisma',
      'test/process',
      'test/helpers',
      ...packages,
    ],
  },
  {
    tests: 'test/{cli,import-site}/**',
    inputs: ['src/tools', 'prisma', 'test/cli', 'test/import-site', 'test/helpers', ...packages],
  },
]

/**
 * Returns the tests of documents, examples, client libraries, processes and commands of which no input has changed since main, or
 * else the last tag.
 */
export function findUnaffectedTests(): string[] {
  const base = ['origin/main', 'main'].map(findCommit).find((commit) => commit !== undefined) ?? findLastTag()
  if (base === undefined) return []
  const changed = [
    ...(git('diff', '--name-only', git('merge-base', 'HEAD', base)?.[0] ?? base) ?? []),
    ...(git('ls-files', '--others', '--exclude-standard') ?? []),
  ]
  const isChanged = (input: string) => changed.some((file) => `${file}/`.startsWith(`${input}/`))
  return dependents.filter(({ inputs }) => !inputs.some(isChanged)).map(({ tests }) => tests)
}

const findCommit = (name: string) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)?.[0]
const findLastTag = () => git('describe', '--tags', '--abbrev=0')?.[0]

/** Lines that git prints, or undefined where it fails, as outside of a repository. */
function git(...args: readonly string[]): string[] | undefined {
  try {
    const output = execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return output.split('\n').filter((line) => line !== '')
  } catch {
    return undefined
  }
}
