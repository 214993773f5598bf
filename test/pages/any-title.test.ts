// Whatever the title of a record, the addresses that the service gives for it lead to it.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compared, openTestApp, type TestApp } from '../helpers/app.ts'
import { runs } from '../helpers/runs.ts'
import { type Kind, party, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp(compared)
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

const part = fc.oneof(
  fc.constantFrom(
    '%',
    '50%ab off',
    '100%dance',
    'a%20b',
    '%e3%81%82',
    '%E3%81%A1',
    '%ef%bc%81',
    '%f0%9f%8e%89',
    '%c3%a9',
  ),
  fc.constantFrom('%2f', '%25', '%00', '%2', '%ff', '%ed%a0%80', '../', '\\', '?', '#', '&amp;', '+', ';', '🎉', ' '),
  fc.constantFrom(
    '日本',
    'が',
    '！',
    'Ａ',
    'İ',
    'ẞ',
    'ǅ',
    'ⅷ',
    '٣',
    'ﷺ',
    '한국어',
    'ไทย',
    'עברית',
    'Ёлка',
    'L’été',
    'œ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
/** Names of categories and tags are unique. */
let count = 0
const examples: [string, string] = ['100%dance a%20b%e3%81%82 ../İẞ?#', '50%ab off%2f%00 日本 ٣&amp;\\+;🎉']
const title = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join('')}${count++}`)

async function expectFound(...paths: string[]): Promise<void> {
  for (const path of paths) expect([path, (await app.app.inject(path)).statusCode]).toEqual([path, 200])
}

/** Requests every address of a record in every language. */
async function expectAddresses(kind: Kind, id: number): Promise<void> {
  for (const root of ['', '/fr', '/es']) {
    const query = `query ($id: ID!) { ${kind}(id: $id) { url slug } }`
    const { url, slug } = (await app.graphql(query, { id }, root)).body.data[kind]
    const path = url.replace(/^http:\/\/calendar\.test/, '')
    await expectFound(path, `${path}?ical=1`, new URL(url).pathname)
    if (kind === 'event') await expectFound(`/oembed?url=${encodeURIComponent(url)}`)
    if (kind === 'category' || kind === 'tag') continue
    const bySlug = `${root}/cal/events/v1/${kind}s/by-slug`
    await expectFound(`${bySlug}/${slug}`, `${bySlug}/${encodeURIComponent(slug)}`)
  }
}

test.each(['event', 'venue', 'organizer', 'category', 'tag'] as const)(
  'each address of an %s is found, with any title in any language',
  async (kind) => {
    const [name, input] = kind === 'event' ? ['title', party] : ['name', {}]
    await fc.assert(
      fc.asyncProperty(title, title, async (own, french) => {
        const translations = [{ language: 'FR', name: french }]
        const id = await written(admin, 'create', kind, { ...input, [name]: own, translations })
        // The address of a category contains that of its parent.
        const child = kind === 'category' && (await written(admin, 'create', kind, { name: french, parentId: id }))
        await expectAddresses(kind, child || id)
      }),
      { numRuns: runs(kind === 'event' ? 30 : 18), examples: [examples] },
    )
  },
)
