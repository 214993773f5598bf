// Whatever the documents and the comments of the code refer to exists: files, headings, rules of the contract, functions.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { documents } from './blocks.ts'

const files = globSync(['*.*', '{src,test,bench,prisma,docs,.ci,.github}/**/*'])

const withoutBlocks = (text: string) => text.replace(/^```.*?^```$/gms, '')

/** Names of a page's headings in addresses, as GitHub makes them, and anchors of its own. */
function anchorsOf(file: string): Set<string> {
  const text = withoutBlocks(readFileSync(file, 'utf8'))
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  const ids = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)
  return new Set([...headings, ...ids])
}

describe.each([...documents, 'bench/real-events/SOURCES.md'])('%s', (file) => {
  const text = withoutBlocks(readFileSync(file, 'utf8'))

  test('links to files and headings that exist', () => {
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#')
        const page = path === '' ? file : normalize(join(dirname(file), path))
        return !existsSync(page) || (anchor !== undefined && !anchorsOf(page).has(anchor))
      })
    expect(broken).toEqual([])
  })

  test('names functions that the named files have', () => {
    // In a table: | what | `file` | `function`, … |
    const missing = [...text.matchAll(/^\|.*\| `(src\/[\w./-]+)` \| ([^|]+) \|$/gm)].flatMap(
      ([, path = '', names = '']) =>
        [...names.matchAll(/`(\w+)`/g)]
          .map(([, name = '']) => name)
          .filter((name) => !existsSync(path) || !new RegExp(`\\b${name}\\b`).test(readFileSync(path, 'utf8')))
          .map((name) => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
  })
})

test('links lead from README.md to every page', () => {
  const reached = new Set<string>()
  const follow = (file: string): void => {
    if (reached.has(file) || !file.endsWith('.md')) return
    reached.add(file)
    const targets = readFileSync(file, 'utf8').matchAll(/\]\(([^)\s#]+\.md)[^)\s]*\)/g)
    for (const [, target = ''] of targets) if (!/^https?:/.test(target)) follow(normalize(join(dirname(file), target)))
  }
  follow('README.md')
  expect(documents.filter((file) => !reached.has(file))).toEqual([])
})

test('README.md has at most 150 lines', () => {
  expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(150)
})

const sources = files.filter(
  (file) =>
    /^(src|test|bench|prisma|\.ci)\/|^[\w.-]+\.ts$/.test(file) && /(\.(ts|js|css|sql|graphql|prisma)|run)$/.test(file),
)
const comments = /(?:^|\s)\/\/.*$|\/\*[\s\S]*?\*\/|^\s*--.*$|^\s*#.*$/gm

test('every rule of the contract that the code names has its heading in docs/legacy-contract.md', () => {
  const page = readFileSync('docs/legacy-contract.md', 'utf8')
  const anchors = anchorsOf('docs/legacy-contract.md')
  const hasRule = (rule: string) => anchors.has(rule.toLowerCase()) || new RegExp(`^#+ ${rule}\\b`, 'm').test(page)
  const missing = sources.flatMap((file) => {
    const text = [...readFileSync(file, 'utf8').matchAll(comments)].map(([comment]) => comment).join('\n')
    const rules = text.match(/\bQUIRK-\d+\b|(?<![\w./])[a-h]\.\d{1,2}(?:\.\d)?(?![\w.]*\()(?=\W|$)/g) ?? []
    return rules.filter((rule) => !hasRule(rule)).map((rule) => `${file}: ${rule}`)
  })
  expect(missing).toEqual([])
})

/** Files of the walk-throughs, of what a page shows of other projects, and of what commands make, and paths of URLs. */
const elsewhere =
  /^(openagenda|generator|madrid-agenda)\/|^src\/(gql\/|(session|streams|operations|save-event|apollo-upload-client\.d|apollo|urql)\.ts$)|sponsor|event_minimum_age|^(Node|graphql|ical)\.js$|^\//

test('no document and no comment names a file that does not exist', () => {
  const pattern = /(?<![\w@/:.*-])[\w@./-]*\w\.(?:ts|md|graphql|sql|json|prisma|css)\b(?![\w(])/g
  const texts = [
    ...documents.map((file) => [file, withoutBlocks(readFileSync(file, 'utf8'))] as const),
    ...sources.map((file) => {
      const texts = [...readFileSync(file, 'utf8').matchAll(comments)].map(([comment]) => comment)
      return [file, texts.join('\n')] as const
    }),
  ]
  const missing = texts.flatMap(([file, text]) =>
    [...text.matchAll(pattern)]
      .map(([name]) => name.replace(/^\.\//, ''))
      .filter((name) => !name.startsWith('.') && !elsewhere.test(name))
      .filter((name) => !existsSync(join(dirname(file), name)) && !existsSync(name))
      .filter((name) => !files.some((path) => path.endsWith(`/${name}`)))
      .map((name) => `${file}: ${name}`),
  )
  expect(missing).toEqual([])
})
