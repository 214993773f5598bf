// docs/graphql.md names the versions that the tests of its recipes use.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = readFileSync('docs/graphql.md', 'utf8')

test.each([
  ['Apollo Client', '@apollo/client', 2],
  ['apollo-upload-client', 'apollo-upload-client', 2],
  ['@urql/core', '@urql/core', 2],
  ['Graphcache', '@urql/exchange-graphcache', 2],
  ['Relay', 'relay-runtime', 1],
  ['@graphql-codegen/cli', '@graphql-codegen/cli', 2],
  ['client preset', '@graphql-codegen/client-preset', 2],
] as const)('the recipes were tried with the installed version of %s', (name, dependency, parts) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${dependency}/package.json`, 'utf8'))
  expect(page).toMatch(new RegExp(`Tried with [^\n]*${name} ${version.split('.').slice(0, parts).join('\\.')}\\b`))
})

test('the page names the versions of Node.js that the packages require', () => {
  // graphql takes these and older ones, the others any.
  const { engines } = JSON.parse(readFileSync('node_modules/apollo-upload-client/package.json', 'utf8'))
  const versions: string[] = engines.node.match(/(?<!\.)\d+(?:\.[1-9]\d*)?/g)
  expect(page).toContain(`Node.js ${versions.join(', ').replace(/, (?=\d+$)/, ' or ')}`)
})
