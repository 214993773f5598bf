// Blocks of the documents that are no commands: GraphQL is validated against the schema, the others are read as what they
// are written in.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { buildSchema, NoUnusedFragmentsRule, parse, specifiedRules, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../src/basics/env.ts'
import { type Block, documents, readBlocks } from './blocks.ts'

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'))
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule)

function checkGraphql(text: string): void {
  expect(validate(schema, parse(text), rules)).toEqual([])
}

const checks: Readonly<Record<string, (text: string) => void>> = {
  graphql: checkGraphql,
  json: (text) => void JSON.parse(text),
  ts(text) {
    stripTypeScriptTypes(text)
    // Relay's compiler checks the templates of the tag `graphql`, in test/clients.
    for (const [, operation = ''] of text.matchAll(/\bgql`([^`]*)`/g)) checkGraphql(operation)
  },
  /** An environment file: names of settings with values that the service takes. */
  ini(text) {
    for (const line of text.trim().split('\n')) expect(line).toMatch(/^(#.*|\[\w+\]|[A-Z]\w*=.*|)$/)
    const settings = [...text.matchAll(/^(?:Environment=)?([A-Z][A-Z_]+)=(.*)$/gm)]
    readSettings(Object.fromEntries(settings.map(([, name = '', value = '']) => [name, value])))
  },
  sql(text) {
    for (const statement of text.trim().split('\n')) expect(statement).toMatch(/^[A-Z].*;$/)
  },
  /** Nodes, subgraphs and arrows. */
  mermaid(text) {
    const [kind, ...lines] = text.trim().split('\n')
    expect(kind).toMatch(/^(flowchart (LR|TB)|sequenceDiagram)$/)
    const node = String.raw`\w+(?:\[\(?"[^"\]]*"\)?\])?`
    const flow = new RegExp(
      String.raw`^\s*(?:end|subgraph ${node}|${node}(?: & ${node})*(?: -?-\.?->(?:\|"[^"|]*"\|)? ${node}(?: & ${node})*)*)$`,
    )
    for (const line of lines) expect(line).toMatch(flow)
  },
}

/** walk-throughs.test.ts applies the blocks of contributing.md; commands.test.ts runs commands. */
const blocks = documents
  .filter((file) => file !== 'docs/contributing.md')
  .flatMap(readBlocks)
  .filter(({ language }) => language !== 'sh' && language !== 'console')

describe('blocks that are no commands', () => {
  test.each(blocks)('$file:$line is valid $language', ({ language, text }: Block) => {
    const check = checks[language]
    if (!check) throw new Error(`There is no check for blocks of "${language}".`)
    check(text)
  })
})
