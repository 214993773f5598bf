// The places that can set language and password of an operation, and their precedence.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
let event: number
let locked: number

beforeAll(async () => {
  app = await openTestApp()
  event = await makeEvent(app.db, { en: 'Party', fr: 'Fête', es: 'Fiesta' })
  const texts = { en: { name: 'Members', description: 'Secret' } }
  locked = await makeEvent(app.db, texts, { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) })
})
afterAll(() => app?.close())

interface Request {
  readonly root?: string
  readonly parameter?: string
  readonly head?: string
  readonly variables?: Record<string, unknown>
}

async function ask({ root = '', parameter, head = 'query', variables = {} }: Request) {
  const url = `${root}/graphql${parameter === undefined ? '' : `?translation_language=${parameter}`}`
  const payload = { query: `${head} { event(id: ${event}) { title url } }`, variables }
  const { body } = await app.get(url, { method: 'POST', payload })
  return body
}

const titles = { en: 'Party', fr: 'Fête', es: 'Fiesta' }
const variable = 'query ($language: LanguageCode) @inContext(language: $language)'

test.each<[string, Request, keyof typeof titles]>([
  ['nothing: the default', {}, 'en'],
  ['the root', { root: '/fr' }, 'fr'],
  ['the root of the default language', { root: '/en' }, 'en'],
  ['the directive', { head: 'query @inContext(language: ES)' }, 'es'],
  ['the directive before the root', { root: '/fr', head: 'query @inContext(language: ES)' }, 'es'],
  ['the parameter', { parameter: 'es' }, 'es'],
  ['the parameter before the root', { root: '/fr', parameter: 'es' }, 'es'],
  ['the parameter before all', { root: '/fr', parameter: 'en', head: 'query @inContext(language: ES)' }, 'en'],
  ['a variable', { head: variable, variables: { language: 'FR' } }, 'fr'],
  ['a variable that is missing: the root', { root: '/es', head: variable }, 'es'],
  ['a variable that is null: the root', { root: '/es', head: variable, variables: { language: null } }, 'es'],
  ['the default of a variable', { head: variable.replace('LanguageCode', 'LanguageCode = FR') }, 'fr'],
  ['a null in the directive', { root: '/fr', head: 'query @inContext(language: null)' }, 'fr'],
  ['a directive without language', { root: '/fr', head: 'query @inContext' }, 'fr'],
])('%s', async (_, request, language) => {
  const path = language === 'en' ? '' : `/${language}`
  const slug = titles[language]
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
  expect((await ask(request)).data.event).toEqual({
    title: titles[language],
    url: `http://calendar.test${path}/event/${slug}/`,
  })
})

test.each<[string, Request]>([
  ['parameter', { parameter: 'de' }],
  ['empty parameter', { parameter: '' }],
  ['parameter in capitals', { parameter: 'FR' }],
])('a language that the site lacks is refused: %s', async (_, request) => {
  const { data, errors } = await ask(request)
  expect([data, errors[0].extensions.code]).toEqual([undefined, 'BAD_INPUT'])
})

test.each<[string, Request]>([
  ['literal', { head: 'query @inContext(language: DE)' }],
  ['variable', { head: variable, variables: { language: 'DE' } }],
])('a language that the schema lacks is refused: %s', async (_, request) => {
  const { data, errors } = await ask(request)
  expect(data).toBeUndefined()
  expect(errors[0].message).toContain('LanguageCode')
})

test('two aliases of one operation share the language', async () => {
  const query = `query @inContext(language: FR) {
    a: event(id: ${event}) { title } b: events { nodes { title } } c: event(slug: "party") { title contentLanguage slug }
  }`
  expect((await app.graphql(query)).body.data).toEqual({
    a: { title: 'Fête' },
    b: { nodes: [{ title: 'Fête' }, { title: 'Members' }] },
    c: { title: 'Fête', contentLanguage: 'FR', slug: 'fete' },
  })
})

test('the directive of the executed operation applies', async () => {
  const query = `query A @inContext(language: FR) { event(id: ${event}) { title } }
    query B @inContext(language: ES) { event(id: ${event}) { title } }`
  const run = async (operationName: string) =>
    (await app.get('/graphql', { method: 'POST', payload: { query, operationName } })).body.data.event.title
  expect(await Promise.all([run('A'), run('B')])).toEqual(['Fête', 'Fiesta'])
})

test('concurrent operations have separate languages', async () => {
  const roots = ['/fr', '/es', '', '/es', '/fr']
  const results = await Promise.all(roots.map((root) => ask({ root })))
  expect(results.map(({ data }) => data.event.title)).toEqual(['Fête', 'Fiesta', 'Party', 'Fiesta', 'Fête'])
})

describe('the password', () => {
  const read = async (head: string, variables = {}) =>
    (await app.graphql(`${head} { event(id: ${locked}) { locked description } }`, variables)).body.data.event

  test.each<[string, string, object, boolean]>([
    ['none', 'query', {}, false],
    ['a literal', 'query @inContext(password: "sesame")', {}, true],
    ['a variable', 'query ($p: String) @inContext(password: $p)', { p: 'sesame' }, true],
    ['a variable of another type', 'query ($p: String!) @inContext(password: $p, language: FR)', { p: 'sesame' }, true],
    ['a missing variable', 'query ($p: String) @inContext(password: $p)', {}, false],
    ['an empty one', 'query @inContext(password: "")', {}, false],
    ['a wrong one', 'query @inContext(password: "Sesame")', {}, false],
  ])('%s', async (_, head, variables, opens) => {
    expect(await read(head, variables)).toEqual({ locked: !opens, description: opens ? 'Secret' : null })
  })
})
