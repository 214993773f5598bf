// Cards and pages of events show the state of an event as text, in the language of the page.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'

let app: TestApp
const room = 'https://meet.example.org/room?a="1"&b=<2>'

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Town' })
  const { db, site } = app
  await makeEvent(db, 'Plain')
  const links = { venueIds: [await makeVenue(db, 'Hall')], organizerIds: [await makeOrganizer(db, 'Club')] }
  const offId = await makeEvent(db, 'Off', { ...links, eventStatus: 'cancelled', start: '2026-12-01T18:00:00' })
  await makeEvent(db, 'Part', { parentId: offId })
  await makeEvent(db, 'Later', { eventStatus: 'postponed', attendanceMode: 'mixed' })
  const previous = { previousStartsAt: new Date('2026-07-01T18:00:00Z') }
  await makeEvent(db, 'Moved', { eventStatus: 'rescheduled', ...previous })
  await makeEvent(db, 'Whole day', { eventStatus: 'rescheduled', ...previous, allDay: true })
  await makeEvent(db, 'Again as planned', previous)
  await makeEvent(db, 'Streamed', { eventStatus: 'moved_online', attendanceMode: 'online', onlineUrl: room })
  await makeEvent(db, 'Secret', {
    ...{ eventStatus: 'cancelled', attendanceMode: 'online', onlineUrl: 'https://hidden.example.org/' },
    passwordKey: await hashRecordPassword('sesame', site.passwordSalt),
  })
})
afterAll(() => app?.close())

const textOf = (html: string) => html.replace(/<[^>]*>/g, '')

/** The label of each card and the date before the event was moved, by the title with its state. */
const cards = async (root: string) => {
  const { body } = await app.get(`${root}/?view=list`)
  const texts = [...body.matchAll(/<div class="leaf".*?<h3[^>]*>(.*?)<\/h3>(.*?)<\/div><\/li>/gs)]
  return Object.fromEntries(
    texts.map(([, title = '', rest = '']) => {
      const [, label] = /<ul class="states"><li>(.*?)<\/li><\/ul>/.exec(rest) ?? []
      const [, before] = /<\/p>(?:<p>(.*?<time.*?)<\/p>)/s.exec(rest) ?? []
      return [textOf(title), [label, plain(before)]]
    }),
  )
}

const previousDate = (words: string, time = '2026-07-01T20:00:00+02:00') =>
  `${words.replace('T', `<time datetime="${time}">`)}</time>`

describe('cards', () => {
  test.each([
    [
      '',
      ['Cancelled: Off', 'Postponed: Later', 'Moved online: Streamed', 'New date: Moved'],
      'On site and online',
      'Previous date: TWednesday, July 1, 2026 at 8:00 PM',
    ],
    [
      '/fr',
      ['Annulé\u00a0: Off', 'Reporté\u00a0: Later', 'Désormais en ligne\u00a0: Streamed', 'Nouvelle date\u00a0: Moved'],
      'Sur place et en ligne',
      'Date précédente\u00a0: Tmercredi 1er juillet 2026 à 20:00',
    ],
    [
      '/es',
      ['Cancelado: Off', 'Aplazado: Later', 'Ahora en línea: Streamed', 'Nueva fecha: Moved'],
      'Presencial y en línea',
      'Fecha anterior: Tmiércoles, 1 de julio de 2026, 20:00',
    ],
  ])('under %j have the state before the title', async (root, [off, later, streamed, moved] = [], mixed, previous) => {
    expect(await cards(root)).toMatchObject({
      [String(off)]: [undefined, undefined],
      [String(later)]: [mixed, undefined],
      [String(streamed)]: [undefined, undefined],
      [String(moved)]: [undefined, plain(previousDate(previous))],
      Plain: [undefined, undefined],
      'Again as planned': [undefined, undefined],
    })
  })
})

describe('the state is before the title', () => {
  test.each([
    ['/event/off/', 'Cancelled: Off', 'en'],
    ['/fr/event/off/', 'Annulé\u00a0: Off', 'fr'],
    ['/es/event/off/', 'Cancelado: Off', 'es'],
    ['/event/later/', 'Postponed: Later', 'en'],
    ['/event/plain/', 'Plain', 'en'],
  ])('of the page %s, for browsers and previews too', async (path, title, language) => {
    const { body } = await app.get(path)
    const [, heading = ''] = /<h1[^>]*>(.*?)<\/h1>/.exec(body) ?? []
    expect([textOf(heading), /<title>(.*?)<\/title>/.exec(body)?.[1]]).toEqual([title, `${title} · Town`])
    expect(body).toContain(`<meta property="og:title" content="${title}">`)
    // The title is English, its state has the language of the page.
    expect(heading.includes(`lang="${language}"`)).toBe(language !== 'en')
  })

  test.each([
    ['in the month', '/?month=2026-12', /<ol class="month">.*<\/ol>/s],
    ['in what follows a month without events', '/?month=2026-10', /<ul class="following">.*?<\/ul>/s],
    ['in the list of a venue', '/venue/hall/', /<ul class="cards">.*?<\/ul>/s],
    ['in the list of an organizer', '/organizer/club/', /<ul class="cards">.*?<\/ul>/s],
    ['in links to the event before', '/event/plain/', /<nav class="neighbors.*?<\/nav>/s],
    ['on the page of a part', '/event/part/', /<dl class="facts">.*?<\/dl>/s],
    ['in a widget', '/embed/event/off', /<h1>.*?<\/h1>/s],
    ['in a widget of a list', '/embed/events', /<ul class="cards">.*?<\/ul>/s],
  ])('%s', async (_place, path, part) => {
    const [text = ''] = part.exec((await app.get(path)).body) ?? []
    expect(text).toMatch(
      /<a [^>]*>(<[^>]*>[^<]*<\/[^>]*> ?)?(<span>)?<span class="state">Cancelled:<\/span> Off(<\/span>)?<\/a>/,
    )
  })

  test('but not in GraphQL, REST, feeds and JSON-LD', async () => {
    const { data } = (await app.graphql('{ event(slug: "off") { title jsonLd } }')).body
    expect([data.event.title, data.event.jsonLd.name]).toEqual(['Off', 'Off'])
    expect((await app.get('/cal/events/v1/events/by-slug/off')).body.title).toBe('Off')
    expect((await app.get('/event/off/?ical=1')).body).toMatch(/^SUMMARY[^:]*:Off\r$/m)
  })
})

/** Date formats contain different kinds of blanks. */
const plain = (text: string | undefined) => text?.replace(/\s/g, ' ')

const note = (body: string) => /<p class="note"><strong>.*?<\/p>/s.exec(body)?.[0]

describe('the page of an event', () => {
  test.each([
    ['/event/off/', '<strong>Cancelled.</strong> This event does not take place.'],
    ['/fr/event/off/', '<strong>Annulé.</strong> Cet événement n’a pas lieu.'],
    ['/es/event/off/', '<strong>Cancelado.</strong> Este evento no se celebra.'],
    ['/event/later/', '<strong>Postponed.</strong> The new date is not known yet.'],
    [
      '/event/moved/',
      `<strong>New date.</strong> This event was moved to another date. ${previousDate('Previous date: TWednesday, July 1, 2026 at 8:00 PM')}`,
    ],
    [
      '/event/whole-day/',
      `<strong>New date.</strong> This event was moved to another date. ${previousDate('Previous date: TWednesday, July 1, 2026', '2026-07-01')}`,
    ],
  ])('%s has a note', async (path, text) => {
    expect(plain(note((await app.get(path)).body))).toBe(`<p class="note">${text}</p>`)
  })

  test('has no note if the event takes place as planned', async () => {
    for (const slug of ['plain', 'again-as-planned']) {
      const { status, body } = await app.get(`/event/${slug}/`)
      expect([status, note(body), body.includes('<dt>Attendance')]).toEqual([200, undefined, false])
    }
  })

  test('has the link to the online event', async () => {
    const { body } = await app.get('/event/streamed/')
    const [, href] =
      /<dt>Attendance<\/dt><dd>Online · <a href="([^"]*)" rel="noopener">meet\.example\.org<\/a>/.exec(body) ?? []
    expect(decodeHTML(href ?? '')).toBe(room)
    expect((await app.get('/fr/event/later/')).body).toContain('<dt>Participation</dt><dd>Sur place et en ligne</dd>')
  })

  test('shows the state of a locked event without its link', async () => {
    const { body } = await app.get('/event/secret/')
    expect(body).toContain('<strong>Cancelled.</strong>')
    expect(body).toContain('<dt>Attendance</dt><dd>Online</dd>')
    expect(body).not.toContain('hidden.example.org')
  })
})
