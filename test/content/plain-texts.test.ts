// Text that is made of descriptions: tags within a word do not split it, and blocks end a word, wherever the text appears.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { eventsOf } from '../helpers/icalendar.ts'

let app: TestApp
let editor: ApiClient
beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app.close())

async function createEvent(title: string, text: object) {
  const mutation =
    'mutation($input: CreateEventInput!) { createEvent(input: $input) { event { databaseId slug jsonLd } userErrors { message } } }'
  const times = { startsLocal: '2026-12-01T10:00:00', endsLocal: '2026-12-01T12:00:00' }
  const { body } = await editor.graphql(mutation, { input: { title, ...times, ...text } })
  expect(body.data.createEvent.userErrors).toEqual([])
  return body.data.createEvent.event as { databaseId: number; slug: string; jsonLd: { description: string } }
}

const contentOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1]

describe('descriptions', () => {
  it.each([
    ['<p><strong>Z</strong>wiebelfest</p>', 'Zwiebelfest'],
    ['<p>Zwie<em>bel</em>fest, <b>s</b><i>a</i><u>l</u><s>a</s><span>d</span></p>', 'Zwiebelfest, salad'],
    ['<p>H<sub>2</sub>O and m<sup>2</sup>, <code>a</code>b</p>', 'H2O and m2, ab'],
    ['<p>Zwie<wbr>bel<font color="red">fest</font> <mark>an</mark>d<abbr>s</abbr></p>', 'Zwiebelfest ands'],
    ['Zwie<!-- a comment -->bel', 'Zwiebel'],
    ['<p>One</p><p>two</p>', 'One two'],
    ['One<br>two<br/>three', 'One two three'],
    ['<ul><li>One</li><li>two</li></ul>three', 'One two three'],
    ['<table><tr><th>One</th><td>two</td></tr><tr><td>three</td></tr></table>', 'One two three'],
    ['<div>One</div><div>two</div><h2>three</h2>four<hr>five', 'One two three four five'],
    ['<dl><dt>One</dt><dd>two</dd></dl><blockquote>three</blockquote><pre>four</pre>', 'One two three four'],
    ['<section>One</section><section>two</section><article>three</article>', 'One two three'],
    ['<figure><img src="https://a.test/b.png">One<figcaption>two</figcaption></figure>', 'One two'],
    ['<p>R&amp;B, 1 &lt; 2</p>', 'R&B, 1 < 2'],
    ['One\n\ntwo\nthree', 'One two three'],
  ])('%s', async (description, text) => {
    const title = `Event ${description.length}`
    const { databaseId, slug, jsonLd } = await createEvent(title, { description })
    expect(jsonLd.description).toBe(text)
    const page = (await app.get(`/event/${slug}/`)).body
    const escaped = text.replaceAll('&', '&#38;').replaceAll('<', '&#60;')
    for (const name of ['description', 'og:description']) expect(contentOf(page, name)).toBe(escaped)
    const [event] = eventsOf((await app.get(`/event/${slug}/?ical=1`)).body)
    const withoutMarks = (from: string) => from.replace(/^- /gm, '').replace(/\s+/g, ' ')
    expect(withoutMarks(event?.description ?? '')).toBe(text)
    const found = await app.graphql(
      'query($search: String!) { events(filter: { search: $search }) { nodes { databaseId } } }',
      {
        search: `"${text}"`,
      },
    )
    expect(found.body.data.events.nodes).toContainEqual({ databaseId })
  })

  it('have the address of a link behind the word that it is a part of', async () => {
    const link = '<a href="https://a.test/">Zwiebel</a>'
    const { slug } = await createEvent('Link', { description: `<p>The ${link}<b>fes</b>t, ${link}. ${link} here</p>` })
    const [event] = eventsOf((await app.get(`/event/${slug}/?ical=1`)).body)
    expect(event?.description).toBe(
      'The Zwiebelfest (https://a.test/), Zwiebel (https://a.test/). Zwiebel (https://a.test/) here',
    )
  })

  it('are told from excerpts, which come first', async () => {
    const { slug } = await createEvent('Excerpt', { description: 'Long', excerpt: '<p><i>S</i>hort</p><p>text</p>' })
    expect(contentOf((await app.get(`/event/${slug}/`)).body, 'description')).toBe('Short text')
  })
})
