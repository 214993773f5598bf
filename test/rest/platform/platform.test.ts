// The calls of the platform that clients of the reference make beside the contract: tags, media and the signed-in user.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../../helpers/app.ts'
import { makeEvent, makeImage, makeTag } from '../../helpers/make.ts'

const wp = '/wp-json/wp/v2'
const base = 'http://calendar.test'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVQImWNQckmDIAY4CwAuTATJnqlZXQAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-platform-'))
  app = await openTestApp({
    REST_PREFIX: '/wp-json',
    IMAGES_DIR: folder,
    IMAGE_BYTES: '1MB',
    SITE_TIMEZONE: 'Europe/Paris',
  })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const namesOf = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name)
const errorOf = ({ status, body }: { status: number; body: { code: string; data: { status: number } } }) => {
  expect(body.data.status).toBe(status)
  return [status, body.code]
}

describe('tags', () => {
  const ids: Record<string, number> = {}
  let party = 0
  beforeAll(async () => {
    const texts = { open: { en: 'Open air', fr: 'Plein air' }, jazz: 'Jazz & more', folk: 'Folk', kids: 'Kids' }
    for (const [key, text] of Object.entries(texts)) ids[key] = await makeTag(app.db, text)
    party = await makeEvent(app.db, 'Party', { tagIds: [ids.jazz ?? 0] })
  })

  test('a tag has the fields of the platform', async () => {
    const { status, headers, body } = await app.get(`${wp}/tags/${ids.jazz}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=UTF-8'])
    expect(body).toStrictEqual({
      id: ids.jazz,
      count: 1,
      description: '',
      link: `${base}/tag/jazz-more/`,
      name: 'Jazz &amp; more',
      slug: 'jazz-more',
      taxonomy: 'post_tag',
      meta: [],
      _links: {
        self: [{ href: `${base}${wp}/tags/${ids.jazz}` }],
        collection: [{ href: `${base}${wp}/tags` }],
      },
    })
  })

  test('the list is an array of all tags, with its totals in headers', async () => {
    const reply = await app.get(`${wp}/tags`)
    expect(namesOf(reply)).toEqual(['Folk', 'Jazz &amp; more', 'Kids', 'Open air'])
    expect([reply.headers['x-wp-total'], reply.headers['x-wp-totalpages'], reply.headers.link]).toEqual([
      '4',
      '1',
      undefined,
    ])
    expect(reply.headers['access-control-expose-headers']).toMatch(/X-WP-Total, X-WP-TotalPages/)
  })

  test.each<[string, string[]]>([
    ['?search=FOLK', ['Folk']],
    ['?search=', ['Folk', 'Jazz &amp; more', 'Kids', 'Open air']],
    ['?slug=kids', ['Kids']],
    ['?slug=kids,folk', ['Folk', 'Kids']],
    ['?slug[]=kids&slug[]=unknown', ['Kids']],
    ['?hide_empty=true', ['Jazz &amp; more']],
    ['?order=desc&per_page=2', ['Open air', 'Kids']],
    ['?orderby=count&order=desc&per_page=1', ['Jazz &amp; more']],
    ['?search=air&lang=fr', ['Plein air']],
    ['?per_page=100', ['Folk', 'Jazz &amp; more', 'Kids', 'Open air']],
    ['?page=9', []],
    ['?unknown=1&_embed=1', ['Folk', 'Jazz &amp; more', 'Kids', 'Open air']],
  ])('%s', async (query, names) => {
    const reply = await app.get(`${wp}/tags${query}`)
    expect([reply.status, namesOf(reply)]).toEqual([200, names])
  })

  test('include, exclude and post', async () => {
    expect(namesOf(await app.get(`${wp}/tags?include=${ids.kids},${ids.folk},999999`))).toEqual(['Folk', 'Kids'])
    expect(namesOf(await app.get(`${wp}/tags?exclude[]=${ids.kids}&exclude[]=${ids.folk}&per_page=1`))).toEqual([
      'Jazz &amp; more',
    ])
    expect(namesOf(await app.get(`${wp}/tags?post=${party}`))).toEqual(['Jazz &amp; more'])
    expect(namesOf(await app.get(`${wp}/tags?post=999999`))).toEqual([])
  })

  test('links in the header lead through all pages', async () => {
    const names: string[] = []
    let url: string | undefined = `/fr${wp}/tags?per_page=1&search=a&_fields=name,id`
    for (let pages = 0; url !== undefined && pages < 9; pages++) {
      const reply = await app.get(url)
      expect(Object.keys(reply.body[0])).toEqual(['id', 'name'])
      names.push(...namesOf(reply))
      const [, next] = /<([^>]*)>; rel="next"/.exec(reply.headers.link ?? '') ?? []
      url = next?.slice(base.length)
    }
    expect(names).toEqual(['Jazz &amp; more', 'Plein air'])
    expect((await app.get(`${wp}/tags?per_page=1&page=2&lang=fr`)).headers.link).toBe(
      `<${base}${wp}/tags?per_page=1&order=asc&orderby=name&hide_empty=false&page=1&lang=fr>; rel="prev", ` +
        `<${base}${wp}/tags?per_page=1&order=asc&orderby=name&hide_empty=false&page=3&lang=fr>; rel="next"`,
    )
  })

  test.each([
    ['?per_page=101', ['per_page']],
    ['?per_page=0', ['per_page']],
    ['?page=0&include=x', ['page', 'include']],
    ['?order=up', ['order']],
    ['?context=all', ['context']],
  ])('%s is invalid', async (query, params) => {
    const reply = await app.get(`${wp}/tags${query}`)
    expect(errorOf(reply)).toEqual([400, 'rest_invalid_param'])
    expect(Object.keys(reply.body.data.params).sort()).toEqual(params.toSorted())
  })

  test('an unknown tag is 404', async () => {
    for (const id of ['999999', '0', '9'.repeat(30)]) {
      expect(errorOf(await app.get(`${wp}/tags/${id}`))).toEqual([404, 'rest_term_invalid'])
    }
  })

  test.each<[string, object | string]>([
    ['JSON', { name: 'Late &amp; loud', description: 'After ten', slug: 'late' }],
    ['a form', 'name=Late+%26+loud&description=After+ten&slug=late'],
  ])('one is created by %s', async (_encoding, payload) => {
    const editor = await app.signIn('editor')
    const { status, headers, body } = await editor.send('POST', `${wp}/tags`, payload)
    expect([status, headers.location]).toEqual([201, `${base}${wp}/tags/${body.id}`])
    expect(body).toMatchObject({ name: 'Late &amp; loud', slug: 'late', description: 'After ten', count: 0 })
    const again = await editor.send('POST', `${wp}/tags`, { name: 'LATE & loud' })
    expect(errorOf(again)).toEqual([400, 'term_exists'])
    expect(again.body.data.term_id).toBe(body.id)
    expect((await app.get(`${wp}/tags/${body.id}?_fields=id`)).body).toEqual({ id: body.id })
    await app.db.tag.delete({ where: { id: body.id } })
  })

  test('creating needs the right to manage tags, and a name', async () => {
    expect(errorOf(await app.send('POST', `${wp}/tags`, { name: 'New' }))).toEqual([401, 'rest_cannot_create'])
    const author = await app.signIn('author')
    expect(errorOf(await author.send('POST', `${wp}/tags`, { name: 'New' }))).toEqual([403, 'rest_cannot_create'])
    const editor = await app.signIn('editor')
    expect(errorOf(await editor.send('POST', `${wp}/tags`, {}))).toEqual([400, 'rest_missing_callback_param'])
    expect(errorOf(await editor.send('POST', `${wp}/tags`, { name: 'x', parent: 5 }))).toEqual([
      400,
      'rest_taxonomy_not_hierarchical',
    ])
  })
})

/** A multipart body with these parts; a Buffer is a file. */
function multipart(parts: Readonly<Record<string, string | Buffer>>, name = 'été 1.png'): Buffer {
  const sections = Object.entries(parts).map(([field, value]) => {
    const file = Buffer.isBuffer(value) ? `; filename="${name}"\r\nContent-Type: image/png` : ''
    const head = `--x\r\nContent-Disposition: form-data; name="${field}"${file}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')])
  })
  return Buffer.concat([...sections, Buffer.from('--x--\r\n')])
}
const form = { 'content-type': 'multipart/form-data; boundary=x' }
const attachment = (name: string) => ({
  'content-type': 'image/png',
  'content-disposition': `attachment; filename="${name}"`,
})

describe('media', () => {
  const upload = async (headers: Record<string, string>, payload: Buffer, role: 'author' | 'contributor' = 'author') =>
    (await app.signIn(role)).send('POST', `${wp}/media`, payload, headers)

  test('a file as the body is stored, and has the fields of the platform', async () => {
    const author = await app.signIn('author')
    const { status, headers, body } = await author.send('POST', `${wp}/media`, png, attachment('Town hall.png'))
    expect([status, headers.location]).toEqual([201, `${base}${wp}/media/${body.id}`])
    const source = body.source_url
    const size = { width: 3, height: 2, filesize: png.length, mime_type: 'image/png', source_url: source }
    const file = source.split('/').at(-1)
    expect(body).toStrictEqual({
      id: expect.any(Number),
      date: '2026-11-21T13:00:00',
      date_gmt: '2026-11-21T12:00:00',
      guid: { rendered: source, raw: source },
      modified: '2026-11-21T13:00:00',
      modified_gmt: '2026-11-21T12:00:00',
      slug: 'town-hall',
      status: 'inherit',
      type: 'attachment',
      link: source,
      title: { raw: 'Town hall', rendered: 'Town hall' },
      author: author.id,
      comment_status: 'closed',
      ping_status: 'closed',
      template: '',
      meta: [],
      description: { raw: '', rendered: '' },
      caption: { raw: '', rendered: '' },
      alt_text: '',
      media_type: 'image',
      mime_type: 'image/png',
      media_details: {
        width: 3,
        height: 2,
        file,
        filesize: png.length,
        sizes: { full: { file, ...size } },
        image_meta: {},
      },
      post: null,
      source_url: source,
      _links: {
        self: [{ href: `${base}${wp}/media/${body.id}` }],
        collection: [{ href: `${base}${wp}/media` }],
      },
    })
    const { title, guid } = (await author.get(`${wp}/media/${body.id}`)).body
    expect([title, guid]).toEqual([{ rendered: 'Town hall' }, { rendered: source }])
    const served = await app.get(new URL(source).pathname)
    expect([served.status, served.headers['content-type']]).toEqual([200, 'image/png'])
  })

  test.each<[string, Record<string, string>, string]>([
    ['without quotes', { 'content-disposition': 'attachment; filename=hall.png' }, 'hall'],
    ['in UTF-8', { 'content-disposition': `attachment; filename="x.png"; filename*=UTF-8''%C3%A9t%C3%A9.png` }, 'été'],
    ['as bytes', { 'content-disposition': Buffer.from('attachment; filename="été.png"').toString('latin1') }, 'été'],
    ['with a folder', { 'content-disposition': 'attachment; filename="C:\\\\photos\\\\a/../b.jpeg"' }, 'b'],
    ['with a query', { 'content-disposition': 'inline; filename="a \\"b\\" c.png"' }, 'a "b" c'],
  ])('a file name %s', async (_how, headers, title) => {
    const { status, body } = await upload({ 'content-type': 'application/octet-stream', ...headers }, png)
    expect([status, body.title?.raw]).toEqual([201, title])
  })

  test('a file with the content type that curl sends by default', async () => {
    const headers = { ...attachment('curl.png'), 'content-type': 'application/x-www-form-urlencoded' }
    const { status, body } = await upload(headers, png)
    expect([status, body.title?.raw, body.mime_type]).toEqual([201, 'curl', 'image/png'])
  })

  test('a part of a multipart body, with title and alternative text', async () => {
    const named = await upload(form, multipart({ title: 'The <b>hall</b>', alt_text: 'A hall & a park', file: png }))
    expect([named.status, named.body.title, named.body.slug]).toEqual([
      201,
      { raw: 'The hall', rendered: 'The hall' },
      'the-hall',
    ])
    expect(named.body.alt_text).toBe('A hall &amp; a park')
    const unnamed = await upload(form, multipart({ file: png }))
    expect([unnamed.body.title.raw, unnamed.body.slug]).toEqual(['été 1', 'ete-1'])
  })

  test('an image that was uploaded can be that of an event', async () => {
    const author = await app.signIn('author')
    const { body: image } = await author.send('POST', `${wp}/media`, png, attachment('poster.png'))
    const event = { title: 'Concert', start_date: '2026-12-01 20:00', end_date: '2026-12-01 22:00', image: image.id }
    const { body } = await author.send('POST', '/wp-json/cal/events/v1/events', event)
    expect(body.image).toMatchObject({ id: image.id, url: image.source_url, width: 3 })
    // Visitors see it now.
    expect((await app.get(`${wp}/media/${image.id}`)).body.slug).toBe('poster')
    expect((await app.get(`${wp}/media?slug=poster`)).headers['x-wp-total']).toBe('1')
  })

  test.each<[string, Record<string, string>, Buffer, [number, string]]>([
    ['no body', attachment('a.png'), Buffer.alloc(0), [400, 'rest_upload_no_data']],
    ['JSON', { 'content-type': 'application/json' }, Buffer.from('{"file":"a"}'), [400, 'rest_upload_no_data']],
    ['a form without the file', form, multipart({ title: 'x' }), [400, 'rest_upload_no_data']],
    ['a file under another name', form, multipart({ image: png }), [400, 'rest_upload_no_data']],
    ['no disposition', { 'content-type': 'image/png' }, png, [400, 'rest_upload_no_content_disposition']],
    [
      'no name',
      { 'content-type': 'image/png', 'content-disposition': 'attachment' },
      png,
      [400, 'rest_upload_invalid_disposition'],
    ],
    ['no image', attachment('a.png'), Buffer.from('<svg/>'), [400, 'rest_upload_sideload_error']],
    ['a file that is too large', attachment('a.png'), Buffer.alloc(1_048_577), [413, 'rest_body_too_large']],
  ])('an upload with %s is rejected', async (_what, headers, payload, expected) => {
    const before = await app.db.image.count()
    expect(errorOf(await upload(headers, payload))).toEqual(expected)
    expect(await app.db.image.count()).toBe(before)
  })

  test('uploading needs the right to it', async () => {
    const request = [`${wp}/media`, png, attachment('a.png')] as const
    expect(errorOf(await app.send('POST', ...request))).toEqual([401, 'rest_cannot_create'])
    expect(errorOf(await upload(attachment('a.png'), png, 'contributor'))).toEqual([403, 'rest_cannot_create'])
  })

  describe('the list', () => {
    let shown = 0
    let hidden = 0
    beforeAll(async () => {
      await app.db.image.deleteMany()
      shown = await makeImage(app.db, 'https://images.test/shown.jpg')
      hidden = await makeImage(app.db, 'https://images.test/hidden.jpg')
      const texts = (data: { title: string; altText?: string }) => ({ updateMany: { where: {}, data } })
      await app.db.image.update({
        where: { id: shown },
        data: { texts: texts({ title: 'Shown 100%' }), slug: 'shown', mimeType: 'image/webp' },
      })
      await app.db.image.update({
        where: { id: hidden },
        data: { texts: texts({ title: 'Hidden', altText: 'Not SHOWN' }), slug: 'hidden' },
      })
      await makeEvent(app.db, 'Open', { imageId: shown })
      await makeEvent(app.db, 'Draft', { imageId: hidden, status: 'draft' })
    })
    const idsOf = ({ body }: { body: { id: number }[] }) => body.map(({ id }) => id)

    test('visitors see the images of what they may read', async () => {
      expect(idsOf(await app.get(`${wp}/media`))).toEqual([shown])
      expect(errorOf(await app.get(`${wp}/media/${hidden}`))).toEqual([404, 'rest_post_invalid_id'])
      expect(errorOf(await app.get(`${wp}/media/999999`))).toEqual([404, 'rest_post_invalid_id'])
    })

    test('a cached list shows a publication', async () => {
      const event = await makeEvent(app.db, 'Later', { imageId: hidden, status: 'draft' })
      expect(idsOf(await app.get(`${wp}/media?per_page=50`))).toEqual([shown])
      await app.db.event.update({ where: { id: event }, data: { status: 'publish' } })
      expect(idsOf(await app.get(`${wp}/media?per_page=50`))).toEqual([hidden, shown])
      await app.db.event.delete({ where: { id: event } })
      expect(idsOf(await app.get(`${wp}/media?per_page=50`))).toEqual([shown])
    })

    test('filters and pages', async () => {
      const editor = await app.signIn('editor')
      const list = async (query: string) => idsOf(await editor.get(`${wp}/media${query}`))
      expect(await list('')).toEqual([hidden, shown])
      expect(await list('?search=shown')).toEqual([hidden, shown])
      expect(await list('?search=100%25')).toEqual([shown])
      expect(await list('?search=_')).toEqual([])
      expect(await list('?slug=shown,other')).toEqual([shown])
      expect(await list(`?include=${shown},999999`)).toEqual([shown])
      expect(await list('?mime_type=image/webp&media_type=image')).toEqual([shown])
      expect(await list('?media_type=video')).toEqual([])
      const second = await editor.get(
        `${wp}/media?per_page=1&page=2&_fields=id,title.rendered,media_details.sizes.full.width`,
      )
      expect(second.body).toEqual([
        { id: shown, title: { rendered: 'Shown 100%' }, media_details: { sizes: { full: { width: 1200 } } } },
      ])
      expect([second.headers['x-wp-total'], second.headers['x-wp-totalpages']]).toEqual(['2', '2'])
      expect(errorOf(await editor.get(`${wp}/media?page=2`))).toEqual([400, 'rest_post_invalid_page_number'])
    })

    test('sizes are those of the image, and the whole', async () => {
      const { media_details } = (await app.get(`${wp}/media/${shown}`)).body
      expect(Object.keys(media_details.sizes)).toEqual(['thumbnail', 'full'])
      expect(media_details.sizes.thumbnail).toMatchObject({ file: 'shown.jpg', width: 150, mime_type: 'image/jpeg' })
    })

    test('the context edit is for users', async () => {
      expect(errorOf(await app.get(`${wp}/media?context=edit`))).toEqual([401, 'rest_forbidden_context'])
      const { body } = await (await app.signIn('editor')).get(`${wp}/media/${shown}?context=edit`)
      expect(body.title).toEqual({ raw: 'Shown 100%', rendered: 'Shown 100%' })
    })
  })
})

describe('the signed-in user', () => {
  it('has a name and a slug', async () => {
    const author = await app.signIn('author')
    const { status, headers, body } = await author.get(`${wp}/users/me`)
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(body).toStrictEqual({
      ...{ id: author.id, name: 'The author', url: '', description: '', link: '', slug: author.login },
      ...{ avatar_urls: {}, meta: [], _links: { self: [{ href: `${base}${wp}/users/me` }] } },
    })
  })

  it('has roles and capabilities in the context edit', async () => {
    const author = await app.signIn('author')
    const { body } = await author.get(`${wp}/users/me?context=edit`)
    expect(body).toMatchObject({ username: author.login, roles: ['author'], email: '' })
    expect(body.capabilities).toMatchObject({ read: true, upload_files: true, publish_posts: true })
    expect(body.capabilities).not.toHaveProperty('edit_others_posts')
  })

  it('is unknown without a credential, and with an invalid one', async () => {
    expect(errorOf(await app.get(`${wp}/users/me`))).toEqual([401, 'rest_not_logged_in'])
    const reply = await app.get(`${wp}/users/me`, { headers: { authorization: 'Bearer no' } })
    expect(errorOf(reply)).toEqual([401, 'rest_not_logged_in'])
    expect(reply.headers['www-authenticate']).toMatch(/^Basic/)
  })
})

describe('nothing else of the platform', () => {
  test.each([
    ['GET', '/posts'],
    ['GET', '/users'],
    ['GET', '/users/1'],
    ['GET', '/tags/x'],
    ['PUT', '/tags/1'],
    ['DELETE', '/tags/1'],
    ['DELETE', '/media/1'],
    ['POST', '/users/me'],
  ] as const)('%s %s', async (method, path) => {
    expect(errorOf(await app.get(`${wp}${path}`, { method }))).toEqual([404, 'rest_no_route'])
  })

  it('the namespace has an index, which the index of the platform contains', async () => {
    const { body } = await app.get(wp)
    expect(body.namespace).toBe('wp/v2')
    expect(Object.keys(body.routes)).toEqual([
      '/wp/v2',
      ...['/wp/v2/tags', '/wp/v2/tags/(?P<id>\\d+)', '/wp/v2/media', '/wp/v2/media/(?P<id>\\d+)', '/wp/v2/users/me'],
    ])
    const index = (await app.get('/wp-json/')).body
    expect([index.namespaces, index.routes]).toMatchObject([['cal/events/v1', 'wp/v2'], body.routes])
  })

  it('nothing at all without LEGACY_ADDRESSES', async () => {
    const plain = await serve(app, { REST_PREFIX: '/wp-json', LEGACY_ADDRESSES: 'off' })
    expect(errorOf(await plain.get(`${wp}/tags`))).toEqual([404, 'rest_no_route'])
    expect((await plain.get('/wp-json/cal/events/v1/tags')).headers['access-control-expose-headers']).not.toContain(
      'X-WP',
    )
    await plain.app.close()
  })
})

it('a form of another site cannot upload with remembered credentials', async () => {
  const { status } = await app.send('POST', `${wp}/media`, multipart({ file: png }), {
    ...{ ...form, authorization: 'Basic YTpi', origin: 'https://other.test' },
  })
  expect(status).toBe(403)
})
