// `npm run example`: installs the packages of the app if necessary, builds it, and serves it beside a service of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const folder = import.meta.dirname
const root = join(folder, '../..')
const port = Number(process.env.EXAMPLE_PORT ?? 5173)
const address = `http://localhost:${port}`
const running = new Set<ChildProcess>()
let isStopping = false

interface Options {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly stdout?: 'inherit' | 'pipe'
}

function start(command: string, args: readonly string[], { cwd, env = {}, stdout = 'inherit' }: Options): ChildProcess {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', stdout, 'inherit'] })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

async function run(command: string, ...args: string[]): Promise<void> {
  const [code] = await once(start(command, args, { cwd: folder, env: { NODE_ENV: 'production' } }), 'close')
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} failed.`)
}

/** Stops the service, and ends when it has ended. */
async function stop(code: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  const children = [...running]
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'close')))
  process.exit(code)
}

const modified = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listening = server.address()
  server.close()
  return typeof listening === 'object' ? (listening?.port ?? 0) : 0
}

/** The service runs only the documents of the app, and its URLs are those of the app. */
async function startService(servicePort: number, password: string): Promise<void> {
  const env = {
    PORT: String(servicePort),
    PUBLIC_URL: address,
    PAGES_URL: address,
    DATABASE_URL: process.env.DATABASE_URL ?? `pglite:${join(folder, 'data')}`,
    IMAGES_DIR: process.env.IMAGES_DIR ?? join(folder, 'data/images'),
    TRUSTED_OPERATIONS: join(folder, 'src/gql/persisted-documents.json'),
    SITE_NAME: process.env.SITE_NAME ?? 'Town calendar',
    SITE_TIMEZONE: process.env.SITE_TIMEZONE ?? 'Atlantic/Canary',
    ADMIN_LOGIN: 'admin',
    ADMIN_PASSWORD: password,
    // Its own database gets the sample; PUBLIC_URL would prevent that.
    SEED: process.env.SEED ?? (process.env.DATABASE_URL === undefined ? 'on' : 'off'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  }
  const service = start(process.execPath, [join(root, 'src/server.ts')], { cwd: root, env, stdout: 'pipe' })
  // The service prints addresses that do not exist here, such as that of its own pages.
  service.stdout?.setEncoding('utf8').on('data', (text: string) => text.startsWith('{') && process.stdout.write(text))
  service.once('close', () => stop(1))
  while (!(await isReady(`http://127.0.0.1:${servicePort}/health/ready`))) await setTimeout(100)
}

const isReady = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

process.on('SIGINT', () => stop(0)).on('SIGTERM', () => stop(0))
try {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (modified(installed) < modified(join(folder, 'package-lock.json')))
    await run('npm', 'ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund')
  await run('npm', 'run', '-s', 'build')
  const servicePort = await freePort()
  const ownPassword = process.env.ADMIN_PASSWORD
  const password = ownPassword ?? randomBytes(12).toString('base64url')
  process.env.SERVICE_URL = `http://127.0.0.1:${servicePort}`
  const { preview } = await import('vite')
  await preview({ root: folder, logLevel: 'warn', preview: { port, strictPort: true } })
  await startService(servicePort, password)
  const shownPassword = ownPassword === undefined ? `the password ${password}` : 'your ADMIN_PASSWORD'
  console.log(`The example is open:\n  ${address}/\n  Sign in as admin with ${shownPassword}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  await stop(1)
}
