// Slow tests: the suite in other time zones and in random order, then test/full.
import { spawnSync } from 'node:child_process'

interface Run {
  readonly title: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const runs: readonly Run[] = [
  {
    title: 'of all cases of the properties',
    args: [
      'test/changes',
      'test/content',
      'test/contract',
      'test/embedded-limit',
      'test/feeds/real-events',
      'test/filters',
      'test/graphql/execution/random-documents',
      'test/graphql/ids',
      'test/graphql/paging',
      'test/graphql/preloaded-records',
      'test/limits/database-work',
      'test/pages/any-title',
      'test/permissions',
      'test/rest',
      'test/security',
      'test/series',
      'test/time.test.ts',
      'test/viewer-can',
      'test/writing',
    ],
    env: { PROPERTY_RUNS: 'all' },
  },
  { title: 'in UTC', args: [], env: { TZ: 'UTC' } },
  { title: 'in New York', args: [], env: { TZ: 'America/New_York' } },
  { title: 'in Kolkata', args: [], env: { TZ: 'Asia/Kolkata' } },
  { title: 'shuffled', args: ['--sequence.shuffle'] },
  {
    title: 'compared with Prisma’s reads and with graphql-js',
    args: [],
    env: { READ_ENGINE: 'verify', EXECUTION: 'verify' },
  },
  {
    title: 'with Prisma’s reads, by graphql-js',
    args: [],
    env: { READ_ENGINE: 'prisma', EXECUTION: 'graphql-js' },
  },
  {
    title: 'of cached responses, many writes',
    args: ['test/cache/equivalence.test.ts'],
    env: { TRUTH_RUNS: '20', PROPERTY_RUNS: 'all' },
  },
  { title: 'of exports, every record', args: ['test/cli/round-trip.test.ts'], env: { EVERY_RECORD: 'on' } },
  { title: 'of the walk-throughs, every check', args: ['test/docs/walk-throughs.test.ts'], env: { EVERY_CHECK: 'on' } },
  { title: 'of the oracle', args: ['test/filters/oracle'], env: { ORACLE_RUNS: '20000', PROPERTY_RUNS: 'all' } },
  { title: 'of the pages, every look', args: ['--mode', 'browser'], env: { EVERY_LOOK: 'on' } },
  { title: 'what takes long', args: ['--mode', 'full'] },
  ...(process.env.TEST_DATABASE_URL
    ? [
        { title: 'on the server, in New York', args: ['--mode', 'all-postgres'], env: { TZ: 'America/New_York' } },
        {
          title: 'on the server, with Prisma’s reads, by graphql-js',
          args: ['--mode', 'all-postgres'],
          env: { READ_ENGINE: 'prisma', EXECUTION: 'graphql-js' },
        },
        {
          title: 'on the server, compared with Prisma’s reads and with graphql-js',
          args: ['--mode', 'all-postgres'],
          env: { READ_ENGINE: 'verify', EXECUTION: 'verify' },
        },
        { title: 'on the server, shuffled', args: ['--mode', 'all-postgres', '--sequence.shuffle'] },
        {
          title: 'of a million reads',
          args: ['--mode', 'postgres', 'test/cache/staleness.test.ts'],
          env: { READS: '1000000' },
        },
        {
          title: 'of clients that follow 10,000 writes',
          args: ['--mode', 'postgres', 'test/process/followers.test.ts'],
          env: { WRITES: '10000' },
        },
        { title: 'on the server, what takes long', args: ['--mode', 'full-postgres'] },
      ]
    : []),
]

const failed = runs.filter(({ title, args, env }) => {
  console.log(`\n== The suite ${title}`)
  const { status } = spawnSync('npx', ['vitest', 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, CI: 'true', ...env },
  })
  return status !== 0
})
for (const { title } of failed) console.error(`Failed: ${title}`)
process.exitCode = failed.length > 0 ? 1 : 0
