// Executes the instructions of the Dockerfile in folders, each of which is a Debian system with Node.js, because a container
// engine is not available everywhere.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Readable } from 'node:stream'

interface Instruction {
  readonly name: string
  readonly text: string
}

export interface Image {
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
  readonly user: string
  readonly volumes: readonly string[]
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
}

export interface Container {
  readonly stdout: Readable
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  /** Runs a command inside, as HEALTHCHECK does. Returns its exit code. */
  exec(command: readonly string[]): number
  kill(signal: NodeJS.Signals): void
}

const readInstructions = (file: string): Instruction[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
      return { name, text }
    })

/** Builds all stages. `newBase` returns a folder with a new copy of the base image. Returns the last stage. */
export function buildImage(file: string, newBase: (name: string) => string): Image {
  const stages = new Map<string, Image>()
  let image: Image | undefined
  for (const { name, text } of readInstructions(file)) {
    if (name === 'FROM') {
      const [base = '', , stage = ''] = text.split(' ')
      image = { root: newBase(base), env: {}, folder: '/', user: 'root', volumes: [], command: [], healthCheck: [] }
      stages.set(stage, image)
      continue
    }
    if (!image) throw new Error('The first instruction must be FROM.')
    image = execute(image, name, text, stages)
    for (const [stage, { root }] of stages) if (root === image.root) stages.set(stage, image)
  }
  if (!image) throw new Error(`${file} has no instructions.`)
  return image
}

function execute(image: Image, name: string, text: string, stages: ReadonlyMap<string, Image>): Image {
  switch (name) {
    case 'WORKDIR':
      mkdirSync(join(image.root, text), { recursive: true })
      return { ...image, folder: text }
    case 'ENV':
      return { ...image, env: { ...image.env, ...Object.fromEntries(text.split(' ').map((pair) => pair.split('='))) } }
    case 'COPY':
      copy(image, text, stages)
      return image
    case 'RUN':
      inRoot(image, ['/bin/sh', '-c', text])
      return image
    case 'USER':
      return { ...image, user: text }
    case 'VOLUME':
      return { ...image, volumes: [...image.volumes, text] }
    case 'EXPOSE':
      return image
    case 'HEALTHCHECK':
      return { ...image, healthCheck: JSON.parse(text.slice(text.indexOf('['))) }
    case 'CMD':
      return { ...image, command: JSON.parse(text) }
    default:
      throw new Error(`${name} ${text}: this instruction is not known here.`)
  }
}

function copy(image: Image, text: string, stages: ReadonlyMap<string, Image>): void {
  const [, stage, paths = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(text) ?? []
  const sources = paths.split(' ')
  const target = posix.resolve(image.folder, sources.pop() ?? '')
  const intoFolder = sources.length > 1 || paths.endsWith('/')
  for (const source of sources) {
    const to = join(image.root, intoFolder ? posix.join(target, posix.basename(source)) : target)
    if (stage === undefined) copyFromContext(source, to)
    else cpSync(join(stages.get(stage)?.root ?? '', source), to, { recursive: true, verbatimSymlinks: true })
  }
}

/** Copies what git tracks, if .dockerignore lets it through. */
function copyFromContext(source: string, to: string): void {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n')
  if (!ignored.includes(`!${source}`)) throw new Error(`.dockerignore excludes ${source}.`)
  const files = execFileSync('git', ['ls-files', '--', source], { encoding: 'utf8' }).trim().split('\n')
  for (const file of files) {
    const path = file === source ? to : join(to, file.slice(source.length + 1))
    mkdirSync(dirname(path), { recursive: true })
    cpSync(file, path)
  }
}

const variablesOf = ({ env }: Image, more: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/tmp',
    ...env,
    ...more,
  }).map((pair) => pair.join('='))

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')

/** The mounts of a container exist in this process only, and end with it. */
const withMounts = (root: string, mounts: readonly string[], command: readonly string[]): string[] => [
  'unshare',
  '--mount',
  'sh',
  '-ec',
  [
    `mount --rbind ${root} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    ...mounts,
    `exec ${quoted(command)}`,
  ].join('\n'),
]

function inRoot(image: Image, command: readonly string[]): void {
  // The certificates of a proxy between this machine and the package registry.
  const { NODE_EXTRA_CA_CERTS = '' } = process.env
  const variables = variablesOf(image, { NODE_EXTRA_CA_CERTS })
  const inFolder = ['env', '-i', `--chdir=${image.folder}`, ...variables, ...command]
  const [program = '', ...args] = withMounts(
    image.root,
    [],
    ['chroot', `--userspec=${image.user}`, image.root, ...inFolder],
  )
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Starts the command of an image with a root file system that cannot be written to, except its volumes and /tmp. */
export function runImage(image: Image, volume: string, env: Readonly<Record<string, string>>): Container {
  const { root, volumes, user, folder, command } = image
  const mounts = [
    `mount -o remount,bind,ro ${root}`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    ...volumes.map((path) => `mount --bind ${volume} ${join(root, path)}`),
  ]
  const enter = ['chroot', `--userspec=${user}`, root, 'env', '-i', `--chdir=${folder}`, ...variablesOf(image, env)]
  const [program = '', ...args] = withMounts(root, mounts, [...enter, ...command])
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exec = ([name = '', ...rest]: readonly string[]) => {
    const inside = ['nsenter', '--mount', `--target=${child.pid}`, ...enter, name, ...rest]
    try {
      execFileSync(inside[0] ?? '', inside.slice(1), { stdio: 'ignore' })
      return 0
    } catch (error) {
      return (error as { status: number }).status
    }
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { stdout: child.stdout, ended, exec, kill: (signal) => child.kill(signal) }
}

/** Whether this machine can build: the user is root, and debootstrap and unshare are installed. */
export const canBuild = (): boolean =>
  process.getuid?.() === 0 && ['/usr/sbin/debootstrap', '/usr/bin/unshare'].every((program) => existsSync(program))
