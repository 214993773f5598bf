// Orders of terms by page numbers, cursors of other orders, and totals, which are counted only if selected.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kindByPlural, kinds } from '../../src/kinds.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { countsStatements } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
const ids: Record<string, number> = {}
beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  const { db } = app
  for (const [name, description] of [
    ['b', 'y'],
    ['c', 'x'],
    ['a', 'z'],
  ] as const) {
    ids[`${name}Category`] = await makeCategory(db, { en: { name, description } })
    ids[`${name}Tag`] = await makeTag(db, { en: { name, description } })
    await makeVenue(db, name)
    await makeOrganizer(db, name)
  }
  ids.child = await makeCategory(db, 'd', ids.aCategory)
  const of = (kind: string, ...names: string[]) => names.map((name) => ids[`${name}${kind}`] as number)
  for (const names of [['b', 'a', 'c'], ['b', 'a'], ['b']]) {
    await makeEvent(db, 'Choir', { categoryIds: of('Category', ...names), tagIds: of('Tag', ...names) })
  }
})
afterAll(() => app.close())

const names = async (list: string, order: string, filter = '{}') => {
  const { body } = await app.graphql(
    `{ list: ${list}(filter: ${filter}, perPage: 50, orderBy: ${order}) { items { name } } }`,
  )
  expect(body.errors).toBeUndefined()
  return body.data.list.items.map(({ name }: { name: string }) => name).join('')
}

describe.each(['categories', 'tags'])('%s', (list) => {
  const rest = list === 'categories' ? 'd' : ''
  const include = (...letters: readonly string[]) => {
    const kind = list === 'tags' ? 'Tag' : 'Category'
    return `{ include: [${letters.map((name) => `"${ids[`${name}${kind}`]}"`)}] }`
  }

  it.each([
    ['COUNT', `${rest}cab`],
    ['DESCRIPTION', `${rest}cba`],
  ])('order by %s', async (field, expected) => {
    expect(await names(`${list}Page`, `{ field: ${field} }`)).toBe(expected)
    const backwards = [...expected].reverse().join('')
    expect(await names(`${list}Page`, `{ field: ${field}, direction: DESC }`)).toBe(backwards)
  })

  it('order by include follows the filter', async () => {
    expect(await names(`${list}Page`, '{ field: INCLUDE }', include('c', 'a', 'b'))).toBe('cab')
    expect(await names(`${list}Page`, '{ field: INCLUDE, direction: DESC }', include('c', 'a', 'b'))).toBe('bac')
  })

  it('order by include sorts a repeated item by its first position', async () => {
    expect(await names(`${list}Page`, '{ field: INCLUDE }', include('c', 'a', 'c'))).toBe('ca')
    expect(await names(`${list}Page`, '{ field: INCLUDE, direction: DESC }', include('c', 'a', 'c'))).toBe('ac')
  })
})

it('order of categories by parent', async () => {
  expect(await names('categoriesPage', '{ field: PARENT }')).toBe('abcd')
  expect((await names('categoriesPage', '{ field: PARENT, direction: DESC }'))[0]).toBe('d')
})

describe('cursors and totals', () => {
  it.each([
    ['events', 'START', 'END', 'TITLE'],
    ['venues', 'NAME', 'PUBLICATION', 'PUBLICATION'],
    ['categories', 'NAME', 'NUMBER', 'SLUG'],
  ])('a cursor of %s is rejected by other orders', async (list, own, ...others) => {
    const { body } = await app.graphql(`{ ${list}(first: 1, orderBy: { field: ${own} }) { pageInfo { endCursor } } }`)
    const cursor = body.data[list].pageInfo.endCursor
    for (const [order, code] of [[own, undefined], ...others.map((other) => [other, 'BAD_INPUT'])]) {
      const next = await app.graphql(
        `{ ${list}(first: 1, after: "${cursor}", orderBy: { field: ${order} }) { nodes { id } } }`,
      )
      expect([order, next.body.errors?.[0].extensions.code]).toEqual([order, code])
    }
  })

  it.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
    'that no list of %s gave out is refused',
    async (list) => {
      for (const cursor of ['', 'x', 'WzFd', '%', 'eyJhIjoxfQ']) {
        for (const range of [`first: 1, after: "${cursor}"`, `last: 1, before: "${cursor}"`]) {
          const { body } = await app.graphql(`{ ${list}(${range}) { nodes { id } } }`)
          expect([range, body.errors?.[0].extensions.code]).toEqual([range, 'BAD_INPUT'])
        }
      }
    },
  )
})

describe.each(['events', 'venues', 'organizers', 'categories', 'tags'] as const)('the total of %s', (list) => {
  const counts = async (selection: string, range = 'first: 2') => {
    app.statements.length = 0
    const { body } = await app.graphql(`{ ${list}(${range}) { ${selection} } }`)
    expect(body.errors).toBeUndefined()
    expect(app.statements.length).toBeGreaterThan(0)
    return app.statements.filter((sql) => /\bcount\s*\(/i.test(sql)).length
  }

  it('the total is not counted unless it is selected', async () => {
    expect(await counts('nodes { databaseId }')).toBe(0)
    expect(await counts('edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor }')).toBe(0)
    expect(await counts('nodes { databaseId }', 'last: 2')).toBe(0)
    expect(await counts('nodes { databaseId } totalCount @include(if: false)')).toBe(0)
  })

  it.runIf(countsStatements)('is counted when it is', async () => {
    expect(await counts('nodes { databaseId } totalCount')).toBe(1)
    expect(await counts(`... on ${kinds[kindByPlural[list]].type}Connection { totalCount }`)).toBe(1)
  })
})
