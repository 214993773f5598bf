// The configuration of GraphQL Code Generator in docs/graphql.md: it has a type for every scalar of the schema.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ClientFolder, clientFolder, recipe } from './recipes.ts'

let files: ClientFolder

beforeAll(() => {
  files = clientFolder()
  files.write('schema.graphql', readFileSync('schema.graphql', 'utf8'))
})
beforeEach(() => files.write('codegen.ts', recipe('ts', 'CodegenConfig')))
afterAll(() => files?.remove())

/** An operation in a component of a client, and what it does with the types that are generated. */
const client = (use: string) => `
  import type { DocumentType } from './gql'
  import { graphql } from './gql'

  const document = graphql(\`
    query Agenda($id: ID!, $after: DateTime) {
      event(id: $id) {
        id
        startsAt
        startsLocal
        url
        customFields { value }
      }
      events(filter: { startsAt: { gt: $after } }) {
        totalCount
      }
    }
  \`)

  export function use({ event, events }: DocumentType<typeof document>): string[] {
    const total: number = events.totalCount
    ${use}
  }
`

test('the generated types of an operation pass the type checker', async () => {
  files.write(
    'src/agenda.tsx',
    client('return event ? [event.id, event.startsAt, event.startsLocal, event.url, String(total)] : []'),
  )
  await files.run('graphql-codegen', '--config', 'codegen.ts')
  await files.checkTypes()
})

test('the generated types are strict: a JSON value is no text', async () => {
  files.write('src/agenda.tsx', client('return event ? event.customFields.map(({ value }) => value) : [String(total)]'))
  await files.run('graphql-codegen', '--config', 'codegen.ts')
  await expect(files.checkTypes()).rejects.toThrow("Type 'unknown' is not assignable to type 'string'")
})

test('a scalar without a type is refused', async () => {
  const withoutUrl = recipe('ts', 'CodegenConfig').replace(/^ *URL: .*\n/m, '')
  files.write('codegen.ts', withoutUrl)
  files.write('src/agenda.tsx', client('return []'))
  await expect(files.run('graphql-codegen', '--config', 'codegen.ts', '--verbose')).rejects.toThrow(
    'Unknown scalar type URL',
  )
})
