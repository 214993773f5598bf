// A Prisma generator, which runs after that of the client: changes the generated client so that it takes 15 MB less memory.
// It fails if a new version of Prisma generates something else.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import generatorHelper from '@prisma/generator-helper'
import { shiftPositions, unusedStrings } from './parameter-graph.ts'

function replace(text: string, pattern: RegExp, replacement: (...groups: string[]) => string): string {
  if (!pattern.test(text)) throw new Error(`The generated Prisma Client has no ${pattern}`)
  return text.replace(pattern, (_match, ...groups: string[]) => replacement(...groups))
}

/**
 * The query compiler as a file of its own. Prisma imports it as a module with a string in base64, which stays in memory three
 * times: as source, as string, and in the compile cache.
 */
function readCompilerFromFile(text: string, folder: string): string {
  const pattern = /const \{ wasm \} = await import\("([^"]+)\.mjs"\)\s+return await decodeBase64AsWasm\(wasm\)/
  return replace(text, pattern, (module) => {
    const { wasm } = createRequire(import.meta.url)(`${module}.js`) as { wasm: string }
    writeFileSync(join(folder, 'query-compiler.wasm'), Buffer.from(wasm, 'base64'))
    return `const { readFile } = await import('node:fs/promises')
    return new WebAssembly.Module(await readFile(new URL('./query-compiler.wasm', import.meta.url)))`
  })
}

const shiftGraph = (text: string): string =>
  replace(
    text,
    /strings: (JSON\.parse\(.+\)),\n\s+graph: "(.+)"\n/,
    (strings, graph) =>
      `strings: [...Array(${unusedStrings}).fill(''), ...${strings}],\n  graph: "${shiftPositions(graph ?? '')}"\n`,
  )

/** V8 stores a source with one other character in two bytes for each. */
const toLatin1 = (text: string): string => text.replace(/[^\t\n -ÿ]/gu, '')

generatorHelper.generatorHandler({
  onManifest: () => ({ prettyName: 'Compact client', defaultOutput: '../src/generated/prisma' }),
  async onGenerate({ generator }) {
    const folder = join(generator.output?.value ?? '', 'internal')
    const edit = (file: string, change: (text: string) => string) => {
      const path = join(folder, file)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    }
    edit('class.ts', (text) => toLatin1(shiftGraph(readCompilerFromFile(text, folder))))
    edit('prismaNamespace.ts', toLatin1)
  },
})
