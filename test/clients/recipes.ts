// Runs the recipes of docs/graphql.md as they stand there, with the address of a test server.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readBlocks } from '../docs/blocks.ts'
import { type Env, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

const run = promisify(execFile)

/** The only block of docs/graphql.md in this language that contains the text. */
export function recipe(language: string, contained: string): string {
  const found = readBlocks('docs/graphql.md').filter(
    (block) => block.language === language && block.text.includes(contained),
  )
  const [block, ...others] = found
  if (!block || others.length > 0) throw new Error(`${found.length} blocks of ${language} contain "${contained}".`)
  return block.text
}

/** The files of an app: the blocks of docs/graphql.md whose sentence ends with the name of a file. */
function recipeFiles(): readonly (readonly [file: string, text: string])[] {
  const page = readFileSync('docs/graphql.md', 'utf8')
  const named = /`([\w./-]+\.ts)`:\n\n```ts\n(.*?)^```$/gms
  return [...page.matchAll(named)].map(([, file = '', text = '']) => [file, text])
}

/** Folder of a client application with the packages of this repository. */
export interface ClientFolder {
  readonly folder: string
  write(file: string, text: string): void
  /** Runs a command of node_modules/.bin, and fails with its output. */
  run(command: string, ...args: string[]): Promise<void>
  /** Checks the types of all files as an application for browsers would. */
  checkTypes(): Promise<void>
  load<Module>(file: string): Promise<Module>
  remove(): void
}

/** graphql-codegen prints no errors with NODE_ENV=test. */
const env = { ...process.env, NODE_ENV: 'development' }

const browserOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
}

export function clientFolder(): ClientFolder {
  const folder = mkdtempSync(join(tmpdir(), 'client-'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const runIn = async (command: string, args: readonly string[]) => {
    await run(resolve('node_modules/.bin', command), args, { cwd: folder, env }).catch(
      (error: { stdout: string; stderr: string }) => {
        throw new Error(`${command}: ${error.stdout}${error.stderr}`)
      },
    )
  }
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return {
    folder,
    write,
    run: (command, ...args) => runIn(command, args),
    checkTypes: async () => {
      write('tsconfig.json', JSON.stringify({ compilerOptions: browserOptions, include: ['src'] }))
      await runIn('tsc', ['-p', '.'])
    },
    load: (file) => import(pathToFileURL(join(folder, file)).href),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface ClientTest extends ClientFolder {
  readonly app: TestApp
  /** A recipe with the address of the server instead of the one in the document. */
  addressed(text: string): string
  /** Writes all files of the app, with the types of its operations. */
  writeApp(): Promise<void>
  close(): Promise<void>
}

/** A folder, and a server with 12 events in English and French: two pages of ten. */
export async function openClientTest(env: Env = {}): Promise<ClientTest> {
  const app = await openTestApp(env)
  for (let day = 1; day <= 12; day++) {
    const date = String(day).padStart(2, '0')
    await makeEvent(app.db, { en: `Concert ${date}`, fr: `Soirée ${date}` }, { start: `2026-12-${date}T19:00:00` })
  }
  const address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const files = clientFolder()
  const addressed = (text: string) => text.replaceAll('http://localhost:4000', address)
  return {
    ...files,
    app,
    addressed,
    writeApp: async () => {
      files.write('schema.graphql', readFileSync('schema.graphql', 'utf8'))
      for (const [file, text] of recipeFiles()) files.write(file, addressed(text))
      await files.run('graphql-codegen', '--config', 'codegen.ts')
    },
    close: async () => {
      files.remove()
      await app.close()
    },
  }
}

/** The titles that the lists of both languages have. */
export const titles = (word: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${String(index + 1).padStart(2, '0')}`)
