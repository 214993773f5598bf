// Cards and pages of events show the state of an event as text, in the language of the page.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passwordKey } from '../../src/content/lifecycle/record-password.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
const room = 'https://meet.example.org/room?a="1"&b=<2>'

beforeAll(async () => {
  app = await openTestApp()
  const { db, site } = app
  await makeEvent(db, 'Plain')
  await makeEvent(db, 'Off', { eventStatus: 'cancelled' })
  await makeEvent(db, 'Later', { eventStatus: 'postponed', attendanceMode: 'mixed' })
  const previous = { previousStartsAt: new Date('2026-07-01T18:00:00Z') }
  await makeEvent(db, 'Moved', { eventStatus: 'rescheduled', ...previous })
  await makeEvent(db, 'Whole day', { eventStatus: 'rescheduled', ...previous, allDay: true })
  await makeEvent(db, 'Again as planned', previous)
  await makeEvent(db, 'Streamed', { eventStatus: 'moved_online', attendanceMode: 'online', onlineUrl: room })
  await makeEvent(db, 'Secret', {
    ...{ eventStatus: 'cancelled', attendanceMode: 'online', onlineUrl: 'https://hidden.example.org/' },
    passwordKey: await passwordKey('sesame', site.passwordSalt),
  })
})
afterAll(() => app?.close())

const cards = async (root: string) => {
  const { body } = await app.get(`${root}/?view=list`)
  const texts = [...body.matchAll(/<div class="leaf".*?<h3[^>]*>(.*?)<\/h3>(.*?)<\/div><\/li>/gs)]
  return Object.fromEntries(
    texts.map(([, title = '', rest = '']) => [
      title.replace(/<[^>]*>/g, ''),
      [...rest.matchAll(/<ul class="states">(.*?)<\/ul>\n<p>.*?<\/p>(?:<p>(.*?)<\/p>)?/gs)].map(
        ([, labels = '', before]) =>
          [...labels.matchAll(/<li>(.*?)<\/li>/g)]
            .map(([, label]) => label)
            .concat(before?.includes('<time') ? before : []),
      )[0],
    ]),
  )
}

const previousDate = (words: string, time = '2026-07-01T20:00:00+02:00') =>
  `${words.replace('T', `<time datetime="${time}">`)}</time>`

describe('cards', () => {
  test.each([
    [
      '',
      'Cancelled',
      ['Postponed', 'On site and online'],
      'Moved online',
      'New date',
      'Previous date: TWednesday, July 1, 2026 at 8:00 PM',
    ],
    [
      '/fr',
      'Annulé',
      ['Reporté', 'Sur place et en ligne'],
      'Désormais en ligne',
      'Nouvelle date',
      'Date précédente : Tmercredi 1 juillet 2026 à 20:00',
    ],
    [
      '/es',
      'Cancelado',
      ['Aplazado', 'Presencial y en línea'],
      'Ahora en línea',
      'Nueva fecha',
      'Fecha anterior: Tmiércoles, 1 de julio de 2026, 20:00',
    ],
  ])('under %j have labels', async (root, cancelled, postponed, movedOnline, rescheduled, previous) => {
    const labels = await cards(root)
    expect(labels).toMatchObject({ Off: [cancelled], Later: postponed, Streamed: [movedOnline] })
    const [label, date] = labels.Moved ?? []
    expect([label, plain(date)]).toEqual([rescheduled, plain(previousDate(previous))])
  })

  test('have no labels for an event that takes place as planned on site', async () => {
    const labels = await cards('')
    expect(Object.keys(labels)).toEqual(expect.arrayContaining(['Plain', 'Again as planned', 'Off']))
    expect([labels.Plain, labels['Again as planned']]).toEqual([undefined, undefined])
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
