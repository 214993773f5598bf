// The Dockerfile, executed in a new Debian system.
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildImage, type Container, canBuild, type Image, runImage } from '../helpers/dockerfile.ts'
import { freePort } from '../helpers/process.ts'

interface Package {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
}

/** The user `node` of the base image. */
const uid = 1000
const work = mkdtempSync(join(tmpdir(), 'calendar-image-'))
let image: Image

/** A Debian system from the same mirror as this one, with Node.js, npm and the user `node`, as the base image has them. */
function createBase(root: string): void {
  const sources = readdirSync('/etc/apt/sources.list.d').map((file) =>
    readFileSync(`/etc/apt/sources.list.d/${file}`, 'utf8'),
  )
  const mirror = /^URIs: (\S+)/m.exec(sources.join('\n'))?.[1] ?? ''
  execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root, mirror], {
    stdio: 'ignore',
  })
  cpSync('node_modules/node/bin/node', join(root, 'usr/local/bin/node'))
  const npm = dirname(
    dirname(
      execFileSync('realpath', [execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()], {
        encoding: 'utf8',
      }).trim(),
    ),
  )
  cpSync(npm, join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/local/bin', name))
  execFileSync('chroot', [root, 'useradd', '--uid', String(uid), '--create-home', 'node'])
  // How this machine reaches the package registry.
  const { NODE_EXTRA_CA_CERTS = '' } = process.env
  for (const file of ['/etc/resolv.conf', '/etc/hosts', NODE_EXTRA_CA_CERTS]) {
    if (existsSync(file)) cpSync(file, join(root, file), { recursive: true, dereference: true })
  }
}

beforeAll(() => {
  if (!canBuild()) return
  const base = join(work, 'base')
  createBase(base)
  let stages = 0
  image = buildImage('Dockerfile', () => {
    const root = join(work, `stage-${stages++}`)
    execFileSync('cp', ['-a', base, root])
    return root
  })
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

async function untilHealthy(container: Container): Promise<void> {
  while (container.exec(image.healthCheck) !== 0) await setTimeout(200)
}

test.skipIf(!canBuild())(
  'the image runs as another user than root, on a root file system that it cannot write to',
  async () => {
    const volume = join(work, 'volume')
    mkdirSync(volume, { mode: 0o700 })
    chownSync(volume, uid, uid)
    const PORT = String(await freePort())
    const container = runImage(image, volume, { PORT })
    let printed = ''
    container.stdout.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
    await untilHealthy(container)
    const response = await fetch(`http://127.0.0.1:${PORT}/cal/events/v1/events?per_page=1`)
    expect(await response.json()).toMatchObject({ total: 0 })
    expect(printed).toContain('The first administrator, shown only now')
    expect(container.exec(['touch', '/app/src/file'])).not.toBe(0)
    expect(container.exec(['id', '--user'])).toBe(0)
    container.kill('SIGTERM')
    expect(await container.ended).toBe(0)
    expect(container.exec(image.healthCheck)).not.toBe(0)

    // A new container finds the data of the volume.
    const second = runImage(image, volume, { PORT })
    await untilHealthy(second)
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  },
)

test.skipIf(!canBuild())('the image contains neither development packages nor tests', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages as Record<string, Package>
  const needed = Object.keys(lock).filter((path) => {
    const { dev, devOptional, optional } = lock[path] ?? {}
    return path !== '' && !dev && !devOptional && !optional
  })
  const present = globSync('node_modules/{*,@*/*}/package.json', { cwd: join(image.root, 'app') }).map(dirname)
  // The Dockerfile keeps all packages of sharp in @img, of which most are optional.
  const withoutSharp = (paths: readonly string[]) => paths.filter((path) => !path.includes('/@img/')).toSorted()
  expect(withoutSharp(present)).toEqual(withoutSharp(needed.filter((path) => !path.slice(1).includes('node_modules/'))))
  expect(present).not.toContain('node_modules/react-dom')
  expect(readdirSync(join(image.root, 'app')).sort()).toEqual(['node_modules', 'package.json', 'prisma', 'src'])
})
