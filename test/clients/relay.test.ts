// The recipe for Relay of docs/graphql.md, and every connection and deletion of the schema by Relay's compiler.
import { readFileSync } from 'node:fs'
import {
  type ConcreteRequest,
  commitMutation,
  createOperationDescriptor,
  type Environment,
  fetchQuery,
  getSingularSelector,
  type MutationParameters,
  type ReaderFragment,
} from 'relay-runtime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../helpers/users.ts'
import { type ClientTest, openClientTest, recipe, titles } from './recipes.ts'

interface Recipe {
  readonly environmentFor: (language: 'en' | 'fr' | 'es') => Environment
  readonly calendarQuery: ConcreteRequest
  readonly calendarFragment: ReaderFragment
  readonly createEventMutation: ConcreteRequest
  readonly deleteEventMutation: ConcreteRequest
}

interface Calendar {
  readonly events: {
    readonly __id: string
    readonly edges: readonly { readonly node: { readonly id: string; readonly title: string } }[]
    readonly pageInfo: { readonly endCursor: string }
  }
}

let files: ClientTest
let module: Recipe

beforeAll(async () => {
  files = await openClientTest()
  const { authorization } = await makeUser(files.app.db, 'administrator')
  files.write('schema.graphql', readFileSync('schema.graphql', 'utf8'))
  files.write('relay.config.json', recipe('json', '"eagerEsModules"'))
  const source = files
    .addressed(recipe('ts', "from 'relay-runtime'"))
    .replace("'content-type': 'application/json'", `$&, authorization: '${authorization}'`)
  files.write('src/calendar.ts', source)
  await files.run('relay-compiler')
  files.write('src/compiled.ts', withArtifacts(source))
  module = await files.load<Recipe>('src/compiled.ts')
})
afterAll(() => files?.close())

/** What Relay's plugin for a bundler does: it replaces each operation by its artifact. */
function withArtifacts(source: string): string {
  const imports: string[] = []
  const compiled = source.replace(/graphql`\s*\w+ (\w+)[^`]*`/g, (_, name: string) => {
    imports.push(`import ${name}_graphql from './__generated__/${name}.graphql'\n`)
    return `${name}_graphql`
  })
  return imports.join('') + compiled
}

/** The list as the store has it. */
function lookUp(environment: Environment): Calendar['events'] {
  const { fragment } = createOperationDescriptor(module.calendarQuery, {})
  const selector = getSingularSelector(module.calendarFragment, environment.lookup(fragment).data)
  if (!selector) throw new Error('The store does not have the fragment.')
  const data = environment.lookup(selector).data as unknown as Calendar
  return data.events
}

const titlesOf = ({ edges }: Calendar['events']) => edges.map(({ node }) => node.title)

async function read(environment: Environment): Promise<void> {
  environment.retain(createOperationDescriptor(module.calendarQuery, {}))
  await fetchQuery(environment, module.calendarQuery, {}).toPromise()
}

/** Runs the query that `@refetchable` generates, as usePaginationFragment does. */
async function readNext(environment: Environment): Promise<void> {
  const query = module.calendarFragment.metadata?.refetch?.operation
  if (query === undefined || typeof query === 'string') throw new Error('The fragment has no query for its next page.')
  const variables = { count: 10, cursor: lookUp(environment).pageInfo.endCursor }
  await fetchQuery(environment, query, variables).toPromise()
}

const commit = (environment: Environment, mutation: ConcreteRequest, variables: object) =>
  new Promise((resolve, reject) => {
    commitMutation<MutationParameters>(environment, {
      mutation,
      variables: { ...variables },
      onCompleted: resolve,
      onError: reject,
    })
  })

test('the recipe passes the type checker', () => files.checkTypes())

test('the stores hold the list of events in two languages, page by page', async () => {
  const [english, french] = [module.environmentFor('en'), module.environmentFor('fr')]
  await read(english)
  expect(titlesOf(lookUp(english))).toEqual(titles('Concert', 10))
  await readNext(english)
  await read(french)
  expect(titlesOf(lookUp(french))).toEqual(titles('Soirée', 10))
  expect(titlesOf(lookUp(english))).toEqual(titles('Concert', 12))
})

test('mutations add an event to a connection and remove it', async () => {
  const environment = module.environmentFor('es')
  await read(environment)
  const before = lookUp(environment)
  const connections = [before.__id]
  const input = { title: 'Nuevo', startsLocal: '2027-01-01T10:00:00', endsLocal: '2027-01-01T11:00:00' }
  await commit(environment, module.createEventMutation, { input, connections })
  expect(titlesOf(lookUp(environment))).toEqual(['Nuevo', ...titlesOf(before)])

  const [added] = lookUp(environment).edges
  await commit(environment, module.deleteEventMutation, { input: { id: added?.node.id }, connections })
  expect(titlesOf(lookUp(environment))).toEqual(titlesOf(before))
})
