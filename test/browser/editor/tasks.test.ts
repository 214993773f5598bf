// What a librarian does in a week, in French, from the first screen on and by what is written there: with a mouse on a wide screen,
// and by touch on a phone.
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitTimeout } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { pictureFile } from '../../helpers/editor-pictures.ts'
import { makeCategory, makeEvent, makeVenue } from '../../helpers/make.ts'
import { proposed, send, solve } from '../../helpers/proposals.ts'
import { makeUser } from '../../helpers/users.ts'

const soon = { timeout: waitTimeout }
let editor: Editor

beforeAll(async () => {
  editor = await openEditor({ PROPOSALS: 'on' })
})
afterAll(() => editor?.close())

describe.each([
  ['with a mouse', { viewport: { width: 1440, height: 900 } }],
  ['by touch', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
])('%s', (means, device) => {
  const isPhone = means === 'by touch'
  const named = (title: string) => `${title} ${means}`
  const press = (target: Locator) => (isPhone ? target.tap() : target.click())
  let page: Page

  beforeAll(async () => {
    const { app } = editor
    const { db } = app
    await makeVenue(db, { fr: named('Médiathèque') }, { city: 'Nantes' })
    await makeCategory(db, { fr: named('Lecture') })
  })
  beforeEach(async () => {
    ;({ page } = await editor.open('/', { locale: 'fr-FR', role: 'editor', ...device }))
  })

  async function go(screen: RegExp | string) {
    if (isPhone) await press(page.getByRole('button', { name: 'Menu' }))
    await press(page.getByRole('navigation', { name: 'Écrans' }).getByRole('link', { name: screen }))
    await page.getByRole('heading', { level: 1, name: screen }).waitFor()
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
  const says = (text: string | RegExp) => page.getByText(text).first().waitFor()

  async function begin(title: string) {
    await go('Événements')
    await press(page.getByRole('link', { name: 'Nouvel événement' }))
    await page.getByLabel('Titre (français)').fill(named(title))
  }

  async function choosePlace(typed: string, option: string) {
    const field = page.getByRole('combobox', { name: 'Lieu', exact: true })
    await press(field)
    await field.fill(typed)
    // The list is in the page before it has its place, and closes when the page scrolls, as it does for a tap that misses.
    const list = page.locator('.popover')
    await expect.poll(() => list.evaluate((element) => getComputedStyle(element).opacity), soon).toBe('1')
    await press(page.getByRole('option', { name: option }))
    await button(`Retirer « ${option} »`).waitFor()
  }

  async function openEvent(title: string) {
    await go('Événements')
    await page.getByRole('searchbox', { name: 'Rechercher' }).fill(named(title))
    // Until then, the table has the rows from before the search, which go away under the finger.
    await page.waitForURL(/[?&]search=/)
    await press(page.getByRole('link', { name: named(title) }).first())
    await page.getByLabel('Titre (français)').waitFor()
  }

  const read = async (query: string) => (await (await editor.app.signIn('administrator')).graphql(query)).body.data
  const found = (title: string) => `filter: { search: ${JSON.stringify(named(title))}, status: [PUBLISHED, DRAFT] }`

  test('an event gets a poster', async () => {
    await begin('Concert')
    await page.getByLabel('Date', { exact: true }).fill('2027-03-12')
    await page.getByLabel('De', { exact: true }).fill('18:00')
    await page.getByLabel('Téléverser une image').setInputFiles(await pictureFile('affiche.png'))
    await page.getByLabel('Texte alternatif').fill('Une scène au bord de la mer')
    await choosePlace('média', named('Médiathèque'))
    await press(page.getByRole('checkbox', { name: named('Lecture') }))
    await press(page.getByText('Gratuit', { exact: true }))
    await press(button('Publier'))
    await says('L’événement est publié.')
    const { events } = await read(
      `{ events(${found('Concert')}) { nodes { status venues { name } categories { name } image { altText } } } }`,
    )
    expect(events.nodes).toEqual([
      {
        status: 'PUBLISHED',
        venues: [{ name: named('Médiathèque') }],
        categories: [{ name: named('Lecture') }],
        image: { altText: 'Une scène au bord de la mer' },
      },
    ])
  })

  test('it is found among what is not translated, and translated', async () => {
    await go('Traductions')
    await press(page.getByRole('link', { name: /^anglais \(\d+\)$/i }))
    await press(page.getByRole('link', { name: named('Concert') }))
    await page.getByRole('textbox', { name: 'Nom ou titre (anglais)' }).fill(named('Harbour concert'))
    await press(button('Enregistrer'))
    await says(/est enregistré en anglais\.$/)
    await go('Traductions')
    await press(page.getByRole('link', { name: /^anglais \(\d+\)$/i }))
    await page.getByText(/^À faire\s: \d+$|^Tout est traduit\.$/).waitFor()
    expect(await page.getByRole('link', { name: named('Concert') }).count()).toBe(0)
  })

  test('a course takes place every week for a year', async () => {
    await begin('Atelier')
    await press(page.getByText('Se répète', { exact: true }))
    await page.getByLabel('Date', { exact: true }).fill('2027-01-12')
    await page.getByLabel('De', { exact: true }).fill('18:00')
    await page.getByLabel('À', { exact: true }).fill('20:00')
    await page.getByLabel('Dernière date possible').fill('2027-12-31')
    await says('51 dates')
    await choosePlace('média', named('Médiathèque'))
    await press(button('Publier'))
    await says('L’événement est publié.')
    expect((await read(`{ events(${found('Atelier')}) { totalCount } }`)).events.totalCount).toBe(51)
  })

  test('one of its dates is cancelled, and another one moved', async () => {
    await go('Événements')
    await page.getByRole('searchbox', { name: 'Rechercher' }).fill(named('Atelier'))
    const links = page.getByRole('link', { name: named('Atelier') })
    await links.nth(1).waitFor()
    await press(links.nth(0))
    await press(button('Annuler cette date'))
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Motif').fill('L’intervenante est malade')
    await press(dialog.getByRole('button', { name: 'Annuler cette date' }))
    await says('Cette date est annulée.')
    await go('Événements')
    await page.getByRole('searchbox', { name: 'Rechercher' }).fill(named('Atelier'))
    await links.nth(1).waitFor()
    await press(links.nth(1))
    await press(button('Déplacer cette date'))
    await dialog.getByLabel('Date', { exact: true }).fill('2027-01-21')
    await press(dialog.getByRole('button', { name: 'Déplacer cette date' }))
    await says('La date est déplacée.')
    const { events } = await read(`{ events(${found('Atelier')}, first: 3) { nodes { startsLocal eventStatus } } }`)
    expect(events.nodes).toEqual([
      { startsLocal: '2027-01-12T18:00:00', eventStatus: 'CANCELLED' },
      { startsLocal: '2027-01-21T18:00:00', eventStatus: 'SCHEDULED' },
      { startsLocal: '2027-01-26T18:00:00', eventStatus: 'SCHEDULED' },
    ])
  })

  test('a draft of a contributor is approved', async () => {
    const { db } = editor.app
    const { id: authorId } = await makeUser(db, 'contributor', { name: 'Claire' })
    await makeEvent(db, { fr: named('Heure du conte') }, { status: 'pending', authorId, start: '2026-12-06T15:00:00' })
    await go(/^Propositions/)
    await press(button(`Publier : ${named('Heure du conte')}`))
    await says(`« ${named('Heure du conte')} » est publié.`)
    expect((await read(`{ events(${found('Heure du conte')}) { nodes { status } } }`)).events.nodes).toEqual([
      { status: 'PUBLISHED' },
    ])
  })

  test('a change is undone', async () => {
    await openEvent('Concert')
    await page.getByLabel('Titre (français)').fill('Tout faux')
    await press(button('Enregistrer les modifications'))
    await says('Les modifications sont enregistrées.')
    await press(page.getByRole('link', { name: 'Historique' }))
    await press(button(/^Annuler ce changement/).first())
    await says('Changement annulé : Titre')
    const { events } = await read(`{ events(${found('Concert')}) { nodes { title } } }`)
    expect(events.nodes).toEqual([{ title: named('Harbour concert') }])
  })

  test('two venues that are the same are merged', async () => {
    await makeVenue(editor.app.db, { fr: named('Salle des fêtes') }, { city: 'Nantes' })
    await makeVenue(editor.app.db, { fr: named('Salle des fetes') }, { city: 'Nantes' })
    await go('Lieux')
    await press(button(/Comparer/).first())
    const dialog = page.getByRole('dialog')
    await press(dialog.getByRole('radio').first())
    await press(dialog.getByRole('button', { name: 'Fusionner' }))
    await says(/^Fusionné dans «\sSalle des f.tes /)
    const { venues } = await read(`{ venues(filter: { search: ${JSON.stringify(named('Salle'))} }) { totalCount } }`)
    expect(venues.totalCount).toBe(1)
  })

  test('a proposal is accepted', async () => {
    const { app } = editor
    const title = named('Fête du village')
    const { userErrors } = await send(app, 'proposeEvent', {
      ...proposed,
      title,
      contactName: 'Ada',
      contactEmail: 'ada@example.org',
      proof: await solve(app),
    })
    expect(userErrors).toEqual([])
    await go(/^Propositions/)
    await press(button(`Accepter et publier : ${title}`))
    await says(`« ${title} » est accepté.`)
    await expect
      .poll(async () => (await read(`{ events(${found('Fête du village')}) { nodes { status } } }`)).events.nodes, soon)
      .toEqual([{ status: 'PUBLISHED' }])
  })
})
