// The files that operators copy: what they say about settings, paths, users and folders is true of the service.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readSettings, settingKeys } from '../../src/basics/env.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'

const settingNames = new Set(settingKeys.map(({ name }) => name))
const dockerfile = readFileSync('Dockerfile', 'utf8')
const packageFile = JSON.parse(readFileSync('package.json', 'utf8'))
const readYaml = (file: string) =>
  parseAllDocuments(readFileSync(file, 'utf8'), { strict: true }).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })

/** Expects settings that the service or glibc has, with values that the service takes, and that load no sample events. */
function expectSettings(variables: Readonly<Record<string, string>>, inherited = {}): void {
  expect(variables.NODE_ENV ?? 'production').toBe('production')
  const others = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_']
  for (const name of Object.keys(variables)) expect([...settingNames, ...others]).toContain(name)
  expect(readSettings({ ...inherited, ...variables }).seed).toBe(false)
}

const settingsOfImage = () => {
  const [, pairs = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? []
  return Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')))
}

/** A password that would have to be encoded in a URL. */
const password = 'a b/c@d#e%'

/** Replaces ${NAME}, ${NAME:-default} and ${NAME:?error} like Compose does with NAME unset, or the password if it is required. */
const interpolate = (text: string): string =>
  text.replace(/\$\{\w+(?:(:[-?])([^}]*))?\}/g, (_, operator, value) => (operator === ':-' ? value : password))

describe('deployment.md', () => {
  const page = readFileSync('docs/deployment.md', 'utf8')
  const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language, text = '']) => ({ language, text }))

  test('creates the user before a command names it', () => {
    const commands = blocks.filter(({ language }) => language === 'console').map(({ text }) => text)
    const lines = commands.join('').split('\n')
    const named = lines.findIndex((line) => /(-o|-u|--uid=)\s*calendar\b/.test(line))
    expect(named).toBeGreaterThan(-1)
    expect(lines.findIndex((line) => line.startsWith('useradd '))).toBeLessThan(named)
  })

  test('starts the service without sample events', () => {
    const starts = blocks.filter(({ language, text }) => language === 'console' && text.includes('src/server.ts'))
    expect(starts.map(({ text }) => text.trim())).toEqual([`NODE_ENV=production ${packageFile.scripts.start}`])
    expectSettings({ NODE_ENV: 'production' })
  })

  test('has an environment file that the service starts with', () => {
    const files = blocks.filter(({ text }) => text.includes('# /etc/calendar.env'))
    expect(files).toHaveLength(1)
    const pairs = files.flatMap(({ text }) => [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, ...pair]) => pair))
    expectSettings(Object.fromEntries(pairs))
    expect(Object.keys(Object.fromEntries(pairs))).toEqual(
      expect.arrayContaining(['PUBLIC_URL', 'DATABASE_URL', 'ADMIN_LOGIN', 'ADMIN_PASSWORD']),
    )
  })
})

describe('Dockerfile', () => {
  test('copies what .dockerignore lets through, and git tracks', () => {
    const included = [...readFileSync('.dockerignore', 'utf8').matchAll(/^!(\S+)$/gm)].map(([, path = '']) => path)
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
    expect(copied.sort()).toEqual(included.sort())
    for (const path of copied) expect(execFileSync('git', ['ls-files', '--', path], { encoding: 'utf8' })).not.toBe('')
  })

  test('starts the service like npm start', () => {
    const command: string[] = JSON.parse(/^CMD (\[.*)$/m.exec(dockerfile)?.[1] ?? '')
    expect(command.join(' ')).toBe(packageFile.scripts.start)
  })

  test('sets settings that the service has', () => {
    expectSettings(settingsOfImage())
  })
})

describe('compose.yaml', () => {
  const [{ services, volumes }] = readYaml('compose.yaml')

  test('sets settings that the service has', () => {
    const environment: Record<string, string> = services.calendar.environment
    const { PGPASSWORD, ...variables } = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, interpolate(value)]),
    )
    expectSettings(variables)
    expect(PGPASSWORD).toBe(password)
    expect(interpolate(services.database.environment.POSTGRES_PASSWORD)).toBe(password)
  })

  test('mounts the folder that the service writes to', () => {
    expect(services.calendar.volumes).toEqual(['images:/data'])
    expect(dockerfile).toContain('\nVOLUME /data\n')
    expect(Object.keys(volumes).sort()).toEqual(['database', 'images'])
  })
})

describe('Kubernetes', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp()
  })
  afterAll(() => app?.close())

  const [deployment, claim, service, budget] = readYaml('docs/deployment/kubernetes.yaml')
  const { spec } = deployment.spec.template
  const [container] = spec.containers

  test('probes paths that respond', async () => {
    const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe]
    for (const { httpGet } of probes) {
      expect(httpGet.port).toBe('http')
      expect((await app.get(httpGet.path)).status).toBe(200)
    }
    const { annotations } = deployment.spec.template.metadata
    expect((await app.get(annotations['prometheus.io/path'])).status).toBe(200)
  })

  test('sets settings that the service has', () => {
    const pairs = container.env.map(({ name, value }: { name: string; value: string }) => [name, value])
    expectSettings(Object.fromEntries(pairs), settingsOfImage())
  })

  test('runs the image as its user, on its port, with its volume', () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000 })
    expect(container.ports).toEqual([{ name: 'http', containerPort: readSettings({}).port }])
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual(['/data', '/tmp'])
    expect(spec.volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name)
    expect(container.image).toMatch(new RegExp(`:${packageFile.version.replaceAll('.', String.raw`\.`)}$`))
  })

  test('selects the instances of the deployment', () => {
    const { labels } = deployment.spec.template.metadata
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(service.spec.selector).toEqual(labels)
    expect(budget.spec.selector.matchLabels).toEqual(labels)
    for (const { labelSelector } of spec.topologySpreadConstraints) expect(labelSelector.matchLabels).toEqual(labels)
  })
})

describe('systemd', () => {
  const unit = readFileSync('docs/deployment/calendar.service', 'utf8')

  const pairs = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])

  test('sets settings that the service has', () => {
    expectSettings(Object.fromEntries(pairs))
  })

  test('starts the service like npm start', () => {
    expect(unit).toContain(`\nExecStart=/usr/bin/${packageFile.scripts.start}\n`)
  })

  const hasSystemd = existsSync('/usr/bin/systemd-analyze') && existsSync('/usr/bin/node')
  test.skipIf(!hasSystemd)('has no unknown or invalid setting', () => {
    const output = execFileSync('systemd-analyze', ['verify', 'docs/deployment/calendar.service'], { encoding: 'utf8' })
    expect(output).toBe('')
  })
})
