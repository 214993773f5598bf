// Related events, the events before and after, and the pictures of an event page.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  const categoryIds = [await makeCategory(db, 'Music')]
  const imageId = await makeImage(db, '/images/poster.jpg')
  const alternates = [1200, 600].map((width) => ({
    ...{ name: `w${width}`, url: `/images/${width}.webp`, width, height: (width * 2) / 3 },
    ...{ mimeType: 'image/webp', fileSize: 1000 },
  }))
  await db.image.update({ where: { id: imageId }, data: { alternates } })
  await makeEvent(db, { en: 'Choir', fr: 'Chorale' }, { categoryIds, imageId, start: '2026-12-02T19:00:00' })
  await makeEvent(db, { en: 'Opera', fr: 'Opéra' }, { categoryIds, start: '2026-12-03T19:00:00' })
  await makeEvent(db, 'Lecture', { start: '2026-12-01T19:00:00' })
  await makeEvent(db, 'Draft', { categoryIds, status: 'draft', start: '2026-12-02T20:00:00' })
  const secret = { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) }
  await makeEvent(db, 'Secret', { ...secret, categoryIds, imageId, start: '2026-12-04T19:00:00' })
})
afterAll(() => app?.close())

const base = 'http://calendar.test'
const neighbors = (body: string) =>
  [...body.matchAll(/<a href="([^"]*)" rel="(prev|next)"><small>(.*?)<\/small><span[^>]*>(.*?)<\/span>/g)].map(
    ([, url, rel, label, title]) => [rel, label, title, url],
  )
const related = (body: string) =>
  [...(/<h2 id="related">.*?<\/section>/s.exec(body)?.[0] ?? '').matchAll(/<h3[^>]*><a [^>]*>(.*?)<\/a>/g)].map(
    ([, title]) => title,
  )

test('an event links to the events before and after, and to related ones', async () => {
  const { body } = await app.get('/fr/event/chorale/')
  expect(neighbors(body)).toEqual([
    ['prev', 'Événement précédent', 'Lecture', `${base}/fr/event/lecture/`],
    ['next', 'Événement suivant', 'Opéra', `${base}/fr/event/opera/`],
  ])
  expect(body).toContain('<span lang="en">Lecture</span>')
  expect(body).toContain(`<link rel="next" href="${base}/fr/event/opera/">`)
  expect(body).toContain('<h2 id="related">À découvrir aussi</h2>')
  expect(related(body)).toEqual(['Opéra'])
})

test('the first event has none before it, and an event without relations has no such section', async () => {
  const { body } = await app.get('/event/lecture/')
  expect(neighbors(body).map(([rel]) => rel)).toEqual(['next'])
  expect(body).not.toContain('id="related"')
})

test('a locked event shows its neighbors, but no related events', async () => {
  const { body } = await app.get('/event/secret/')
  expect(neighbors(body).map(([, , title]) => title)).toEqual(['Opera'])
  expect(related(body)).toEqual([])
  expect(body).not.toMatch(/poster|\.webp/)
})

test('the widget of an event has neither', async () => {
  const { status, body } = await app.get('/embed/event/choir')
  expect([status, neighbors(body), body.includes('id="related"')]).toEqual([200, [], false])
})

describe('the picture', () => {
  it('is offered in a smaller media type', async () => {
    const { body } = await app.get('/event/choir/')
    expect(body).toContain(
      '<picture><source type="image/webp" srcset="http://calendar.test/images/600.webp 600w, http://calendar.test/images/1200.webp 1200w"',
    )
  })

  it('has its caption and credit in the language of the page', async () => {
    const { id } = await app.db.image.findFirstOrThrow()
    const editor = await app.signIn('editor')
    const update = await editor.graphql(
      'mutation ($id: ID!, $t: [ImageTranslationInput!]) { updateImage(input: { id: $id, translations: $t }) { image { id } } }',
      {
        id: String(id),
        t: [
          { language: 'EN', caption: 'The <choir>', credit: 'Ada' },
          { language: 'FR', caption: 'Le chœur', credit: 'Ada' },
        ],
      },
    )
    expect(update.body.data?.updateImage.image.id).toBeDefined()
    const caption = async (path: string) =>
      decodeHTML(/<figcaption>(.*?)<\/figcaption>/.exec((await app.get(path)).body)?.[1] ?? '')
    expect(await caption('/event/choir/')).toBe('<span>The <choir></span> <small>Photo: Ada</small>')
    expect(await caption('/fr/event/chorale/')).toBe('<span>Le chœur</span> <small>Photo\u00a0: Ada</small>')
  })
})

describe('suggestions of the search', () => {
  const suggestions = async (path: string, from: Pick<TestApp, 'get'> = app) => {
    const { status, headers, body } = await from.get(path)
    expect([status, headers['content-type']]).toEqual([200, 'application/x-suggestions+json; charset=utf-8'])
    return typeof body === 'string' ? JSON.parse(body) : body
  }

  it('are titles and names with their pages, in the language of the path', async () => {
    expect(await suggestions('/en/suggestions?prefix=op')).toEqual(['op', ['Opera'], [], [`${base}/event/opera/`]])
    expect(await suggestions('/fr/suggestions?prefix=op')).toEqual(['op', ['Opéra'], [], [`${base}/fr/event/opera/`]])
    expect((await suggestions('/en/suggestions?prefix=mus'))[1]).toEqual(['Music'])
  })

  it('are those of visitors, also for editors', async () => {
    const editor = await app.signIn('editor')
    expect((await suggestions('/en/suggestions?prefix=draft', editor))[1]).toEqual([])
  })

  it.each(['', '?prefix=', '?prefix=%00', '?prefix[]=a', `?prefix=${'x'.repeat(3000)}`])(
    '%s has none',
    async (query) => {
      expect((await suggestions(`/en/suggestions${query}`))[1]).toEqual([])
    },
  )

  it('change with the content', async () => {
    expect((await suggestions('/en/suggestions?prefix=zither'))[1]).toEqual([])
    const id = await makeEvent(app.db, 'Zither')
    expect((await suggestions('/en/suggestions?prefix=zither'))[1]).toEqual(['Zither'])
    await app.db.event.delete({ where: { id } })
  })

  it('are offered to browsers, and to the script of the search form', async () => {
    const xml = String((await app.get('/fr/opensearch.xml')).body)
    expect(xml).toContain(
      '<Url type="application/x-suggestions+json" template="http://calendar.test/fr/suggestions?prefix={searchTerms}"/>',
    )
    const below = await serve(app, { PUBLIC_URL: 'https://example.test/calendar' })
    const { body } = await below.get('/fr/')
    expect(body).toContain('data-suggestions="/calendar/fr/suggestions"')
    const [, script = ''] =
      /<script src="\/calendar(\/pages\/[\w-]+\/suggestions\.js)" defer><\/script>/.exec(body) ?? []
    const { status, headers } = await below.get(script)
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    await below.app.close()
  })
})
