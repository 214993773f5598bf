// Deleting a category or tag returns the deleted term, in one operation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeTag } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app.close())

describe.each(['category', 'tag'] as const)('a %s', (kind) => {
  const plural = kind === 'tag' ? 'tags' : 'categories'
  const Kind = kind === 'tag' ? 'Tag' : 'Category'

  async function make(name: string): Promise<number> {
    const texts = { en: { name, description: 'Words' }, fr: { name: `${name} fr` } }
    const id = kind === 'tag' ? await makeTag(app.db, texts) : await makeCategory(app.db, texts)
    await makeEvent(app.db, `With ${name}`, kind === 'tag' ? { tagIds: [id] } : { categoryIds: [id] })
    return id
  }

  const remove = (fields: string) =>
    `mutation ($id: ID!) { gone: delete${Kind}(input: { id: $id }) { databaseId ${fields} userErrors { code } } }`

  it('a deleted term is returned by GraphQL with all selected fields, and without events', async () => {
    const id = await make('Shown')
    const fields = `id name count description translations { language name } events(first: 2) { nodes { title } }`
    const before = (await app.graphql(`{ record: ${kind}(id: ${id}) { ${fields} } }`)).body.data.record
    expect(before).toMatchObject({ name: 'Shown', count: 1, events: { nodes: [{ title: 'With Shown' }] } })
    expect(before.translations).toHaveLength(2)
    const { body } = await admin.graphql(remove(`${kind} { ${fields} }`), { id: String(id) })
    const record = { ...before, events: { nodes: [] } }
    expect(body).toEqual({ data: { gone: { databaseId: id, [kind]: record, userErrors: [] } } })
    expect((await app.graphql(`{ record: ${kind}(id: ${id}) { id } }`)).body.data.record).toBeNull()
  })

  it('the deleted term need not be selected', async () => {
    const id = await make('Unasked')
    const { body } = await admin.graphql(remove(''), { id: String(id) })
    expect(body).toEqual({ data: { gone: { databaseId: id, userErrors: [] } } })
  })

  it('a term that was not deleted is not returned', async () => {
    const id = await make('Kept')
    const author = await app.signIn('subscriber')
    const { body } = await author.graphql(remove(`${kind} { name }`), { id: String(id) })
    expect(body.data.gone).toEqual({ databaseId: null, [kind]: null, userErrors: [{ code: 'FORBIDDEN' }] })
    for (const invalid of ['nonsense', '99999', '99999999999']) {
      const { body } = await admin.graphql(remove(`${kind} { name }`), { id: invalid })
      expect(body.data.gone).toEqual({ databaseId: null, [kind]: null, userErrors: [{ code: 'NOT_FOUND' }] })
    }
  })

  it('a deleted term is returned by REST with one operation', async () => {
    const id = await make('Legacy')
    const before = (await app.get(`${ns}/${plural}/${id}`)).body
    expect(before).toMatchObject({ name: 'Legacy', count: 1 })
    const { status, body } = await admin.send('DELETE', `${ns}/${plural}/${id}`)
    expect([status, body]).toEqual([200, before])
    const { status: again } = await admin.send('DELETE', `${ns}/${plural}/${id}`)
    expect(again).not.toBe(200)
    const { paths } = (await app.get(`${ns}/doc`)).body
    expect(paths[`/${plural}/{id}`].delete['x-graphql'].query).toContain(`delete${Kind}`)
  })
})
