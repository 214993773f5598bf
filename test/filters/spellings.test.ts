// Words as people type them: other letters, apostrophes, hyphens and quotes than the text has, and punctuation around words.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp

/** The title of each event in English, French or Spanish, and its description. */
const events = {
  choir: ['fr', 'Chœur d’hommes de l’Œuvre', '<p>Chants du cœur, à Łódź.</p>'],
  choirTyped: ['fr', "Choeur d'enfants", '<p>Une oeuvre de Fauré</p>'],
  street: ['en', 'Straßenfest in Tromsø', '<p>Smørrebrød, Đorđe Balašević and Æbleskiver</p>'],
  streetTyped: ['en', 'Strassenfest in Tromso', '<p>Smorrebrod</p>'],
  saga: ['en', 'Þór and the Edda', '<p>By Guðrún from Diyarbakır</p>'],
  summer: ['fr', 'L’été à Saint‑Malo', '<p>D’Artagnan – aujourd’hui</p>'],
  summerTyped: ['fr', "L'hiver à Saint-Malo", "<p>d'Artagnan - aujourd'hui</p>"],
  onion: ['en', 'Zwie\u00adbel\u200bfest', '<p><strong>K</strong>rautsalat and <em>sau</em>er<em>kraut</em></p>'],
  blocks: [
    'en',
    'Blocks',
    '<ul><li>Apfel</li><li>Birne</li></ul><p>Kirsche<br>Pflaume</p><table><tr><td>Quitte</td><td>Nuss</td></tr></table>',
  ],
  wide: ['en', 'Ｆｕｌｌ ﬁlm oﬃce', '<p>No\u00a0break, 20\u202f000 people</p>'],
  show: ['fr', 'Le grand « Zorglub » : tango', '<p>Entrée libre (sur réservation) ; venez !</p>'],
  showTyped: ['fr', 'Zorglub - Milonga', '<p>Bal…</p>'],
  party: ['es', '¿Qué pasa? ¡Fiesta!', '<p>Música «en vivo», niños y señores</p>'],
  languages: ['en', 'C++ and C#', '<p>R&amp;B with AC/DC, 50% off, from 8 a.m. #dance, rock’n’roll</p>'],
} as const

const titles = new Map<string, string>()

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  const editor = await app.signIn('editor')
  const createVenue = async (input: object) => {
    const mutation = 'mutation($input: CreateVenueInput!) { createVenue(input: $input) { venue { databaseId } } }'
    const { body } = await editor.graphql(mutation, { input: { status: 'PUBLISHED', ...input } }, '/fr')
    return body.data.createVenue.venue.databaseId as number
  }
  const theatre = { name: 'Théâtre du Cœur', address: 'Impasse de l’Œillet', city: 'Łódź' }
  const venueIds = [await createVenue(theatre)]
  await createVenue({ name: 'Ærø – Hall', address: 'Vestergade', city: 'Tromsø' })
  for (const [key, [language, name, description]] of Object.entries(events)) {
    titles.set(name, key)
    const columns = key === 'choir' ? { venueIds } : {}
    await makeEvent(db, { [language]: { name, description } }, { ...columns, start: '2026-12-01T19:00:00' })
  }
  await makeOrganizer(db, { fr: 'Les Sœurs d’Þingvellir' })
  await makeCategory(db, { fr: 'Hors‑d’œuvre' })
  await makeTag(db, { fr: 'Hors‑d’œuvre' })
})
afterAll(() => app?.close())

type Found = readonly { readonly title: string }[]
const keysOf = (found: Found) => found.map(({ title }) => titles.get(title)).join(' ')

interface Events {
  readonly searchMatch: string
  readonly nodes: Found
}

/** The events that both modes find. */
async function byGraphql(search: string): Promise<Record<'words' | 'substring', string>> {
  const query = `query($search: String) {
    words: events(filter: { search: $search }, first: 50) { ...Found }
    substring: events(filter: { search: $search, searchMode: SUBSTRING }, first: 50) { ...Found } }
    fragment Found on EventConnection { searchMatch nodes { title } }`
  const { body } = await app.graphql(query, { search }, '/fr')
  expect(body.errors).toBeUndefined()
  const found = ({ searchMatch, nodes }: Events) => (searchMatch === 'SIMILAR' ? '' : keysOf(nodes))
  return { words: found(body.data.words), substring: found(body.data.substring) }
}

async function byRest(search: string) {
  const { body } = await app.get(`/fr${ns}/events?per_page=50&search=${encodeURIComponent(search)}`)
  return body.events.map(({ title }: { title: string }) => titles.get(title.replaceAll('&amp;', '&'))).join(' ')
}

describe('a search of events', () => {
  it.each([
    // Letters
    ['cœur', 'choir'],
    ['coeur', 'choir'],
    ['CŒUR', 'choir'],
    ['chœur', 'choir choirTyped'],
    ['choeur', 'choir choirTyped'],
    ['œuvre', 'choir choirTyped'],
    ['oeuvre faure', 'choirTyped'],
    ['lodz', 'choir'],
    ['Łódź', 'choir'],
    ['łodz', 'choir'],
    ['straßenfest', 'street streetTyped'],
    ['STRASSENFEST', 'street streetTyped'],
    ['tromsø', 'street streetTyped'],
    ['tromso', 'street streetTyped'],
    ['smørrebrød', 'street streetTyped'],
    ['dorde balasevic', 'street'],
    ['Đorđe Balašević', 'street'],
    ['aebleskiver', 'street'],
    ['thor edda', 'saga'],
    ['þór', 'saga'],
    ['gudrun', 'saga'],
    ['diyarbakir', 'saga'],
    ['DİYARBAKIR', 'saga'],
    ['full film', 'wide'],
    ['ｆｉｌｍ', 'wide'],
    ['office', 'wide'],
    ['break 20 000', 'wide'],
    ['20\u00a0000', 'wide'],
    // Apostrophes and hyphens
    ["l'ete", 'summer'],
    ['l’été', 'summer'],
    ['lʼété', 'summer'],
    ['l´été', 'summer'],
    ['l`ete', 'summer'],
    ["d'artagnan", 'summer summerTyped'],
    ['d’Artagnan', 'summer summerTyped'],
    ["aujourd'hui", 'summer summerTyped'],
    ['artagnan', 'summer summerTyped'],
    ['saint-malo', 'summer summerTyped'],
    ['saint\u2011malo', 'summer summerTyped'],
    ['saint\u2010malo', 'summer summerTyped'],
    ['saint–malo', 'summer summerTyped'],
    ['malo', 'summer summerTyped'],
    ["rock'n'roll", 'languages'],
    // Invisible characters
    ['zwiebelfest', 'onion'],
    ['zwie\u00adbel', 'onion'],
    ['zwiebel\u200bfest', 'onion'],
    ['\ufeffzwie\u2060belfest', 'onion'],
    // Inline tags and blocks
    ['krautsalat', 'onion'],
    ['sauerkraut', 'onion'],
    ['"krautsalat and sauerkraut"', 'onion'],
    ['apfel birne', 'blocks'],
    ['apfelbirne', ''],
    ['"apfel birne"', 'blocks'],
    ['"kirsche pflaume quitte nuss"', 'blocks'],
    // Punctuation alone
    ['zorglub - tango', 'show'],
    ['zorglub – tango', 'show'],
    ['zorglub — tango', 'show'],
    ['zorglub -- tango', 'show'],
    ['zorglub & tango', 'show'],
    ['zorglub + tango', 'show'],
    ['zorglub / tango', 'show'],
    ['zorglub | tango', 'show'],
    ['zorglub : tango', 'show'],
    ['zorglub ... tango', 'show'],
    ['zorglub • tango !', 'show'],
    ['tango !', 'show'],
    ['tango\u00a0!', 'show'],
    ['- tango', 'show'],
    // Punctuation around a word
    ['« zorglub »', 'show showTyped'],
    ['«zorglub»', 'show showTyped'],
    ['<<zorglub>>', 'show showTyped'],
    ['“zorglub”', 'show showTyped'],
    ['„zorglub“', 'show showTyped'],
    ['‘zorglub’', 'show showTyped'],
    ["'zorglub'", 'show showTyped'],
    ['(zorglub)', 'show showTyped'],
    ['[zorglub]', 'show showTyped'],
    ['zorglub, tango', 'show'],
    ['zorglub; tango.', 'show'],
    ['zorglub,tango', 'show'],
    ['zorglub—tango', 'show'],
    ['tango(zorglub)', 'show'],
    ['+zorglub +tango', 'show'],
    ['|zorglub|', 'show showTyped'],
    ['zorglub…', 'show showTyped'],
    ['zorglub: milonga', 'showTyped'],
    ['*zorglub*', 'show showTyped'],
    ['—zorglub', 'show showTyped'],
    ['bal…', 'showTyped street'],
    ['venez !', 'show'],
    ['réservation)', 'show'],
    ['¿Qué?', 'party'],
    ['que pasa', 'party'],
    ['¡Fiesta!', 'party'],
    ['¿qué pasa? ¡fiesta!', 'party'],
    ['fiesta', 'party'],
    ['"en vivo"', 'party'],
    ['«en vivo»', 'party'],
    // Phrases
    ['« grand zorglub »', ''],
    ['« sur réservation »', 'show'],
    ['„sur reservation“', 'show'],
    ['« entrée libre ! »', 'show'],
    ['“saint‑malo”', 'summer summerTyped'],
    ['"d’hommes de l\'oeuvre"', 'choir'],
    // Exclusions
    ['zorglub -tango', 'showTyped'],
    ['zorglub -(tango)', 'showTyped'],
    ['zorglub -« tango »', 'showTyped'],
    ['chœur -œuvre', ''],
    ['coeur -cœur', ''],
    ['zorglub -"milonga!"', 'show'],
    ["saint-malo -l'ete", 'summerTyped'],
    // Punctuation that belongs to a word
    ['C++', 'languages'],
    ['C++.', 'languages'],
    ['(C++)', 'languages'],
    ['c#', 'languages'],
    ['R&B', 'languages'],
    ['ac/dc', 'languages'],
    ['50%', 'languages'],
    ['#dance', 'languages'],
    ['8 a.m.', 'languages'],
  ])('%j finds %j', async (search, expected) => {
    const sorted = (found: string) => found.split(' ').sort()
    const { words, substring } = await byGraphql(search)
    expect({ words: sorted(words), substring: sorted(substring) }).toEqual({
      words: sorted(expected),
      substring: sorted(expected),
    })
  })

  it.each(['chœur -œuvre', '« zorglub »', 'zorglub & tango', 'C++', '50%', '#dance', "d'artagnan"])(
    '%j finds the same in REST',
    async (search) => {
      expect(await byRest(search)).toBe((await byGraphql(search)).words)
    },
  )

  it('compares with other forms of a word as before', async () => {
    const { words } = await byGraphql('choeurs')
    expect((await byGraphql('chœurs')).words).toBe(words)
    expect(words.split(' ').sort()).toEqual(['choir', 'choirTyped'])
  })
})

describe('other searches', () => {
  it.each([
    ['« Chœ', 'EVENT Chœur d’hommes de l’Œuvre'],
    ['choeur d’h', 'EVENT Chœur d’hommes de l’Œuvre'],
    ["l'ete a saint-m", 'EVENT L’été à Saint‑Malo'],
    ['zwiebelf', `EVENT ${events.onion[1]}`],
    ['theatre du coeur', 'VENUE Théâtre du Cœur'],
    ['coeu', 'VENUE Théâtre du Cœur'],
    ['aero - ha', 'VENUE Ærø – Hall'],
    ['(aero)', 'VENUE Ærø – Hall'],
    ["soeurs d'thing", 'ORGANIZER Les Sœurs d’Þingvellir'],
    ["hors-d'oe", 'CATEGORY Hors‑d’œuvre'],
    ['fiesta !', 'EVENT ¿Qué pasa? ¡Fiesta!'],
  ])('the beginning %j suggests %s', async (prefix, expected) => {
    const { body } = await app.graphql(
      'query($prefix: String!) { searchSuggestions(prefix: $prefix) { kind text } }',
      { prefix },
      '/fr',
    )
    const found = body.data.searchSuggestions.map(({ kind, text }: Record<string, string>) => `${kind} ${text}`)
    expect(found).toContain(expected)
  })

  it.each([
    [{ cities: ['lodz'] }, 'choir'],
    [{ cities: ['LÓDŹ'] }, 'choir'],
    [{ cities: ['ŁÓDŹ\u200b'] }, 'choir'],
    [{ placeName: 'coeur' }, 'choir'],
    [{ placeName: '« Cœur »' }, 'choir'],
    [{ placeName: "l'oeillet" }, 'choir'],
    [{ placeName: 'Théâtre - Łódź !' }, 'choir'],
    [{ categories: ["hors-d'oeuvre"] }, ''],
  ])('the filter %j finds %j', async (filter, expected) => {
    const query = 'query($filter: EventFilter) { events(filter: $filter, first: 50) { nodes { title } } }'
    const { body } = await app.graphql(query, { filter }, '/fr')
    expect(body.errors).toBeUndefined()
    expect(keysOf(body.data.events.nodes)).toBe(expected)
  })

  it.each([
    ['venues', 'coeur', 'Théâtre du Cœur'],
    ['venues', 'œillet', 'Théâtre du Cœur'],
    ['venues', 'lodz', 'Théâtre du Cœur'],
    ['venues', '« théâtre » - (coeur)', 'Théâtre du Cœur'],
    ['venues', 'aero — hall', 'Ærø – Hall'],
    ['venues', 'tromso!', 'Ærø – Hall'],
    ['organizers', 'soeurs thingvellir', 'Les Sœurs d’Þingvellir'],
    ['organizers', "d'þingvellir", 'Les Sœurs d’Þingvellir'],
    ['categories', "hors-d'oeuvre", 'Hors‑d’œuvre'],
    ['tags', '« HORS-D’OEUVRE »', 'Hors‑d’œuvre'],
    ['tags', 'œuvre !', 'Hors‑d’œuvre'],
  ])('%s with %j are %j', async (plural, search, expected) => {
    const list = (searchMode: string) =>
      `${plural}(filter: { search: $search, searchMode: ${searchMode} }, first: 9) { nodes { name } }`
    const query = `query($search: String) { words: ${list('WORDS')} substring: ${list('SUBSTRING')} }`
    const { body } = await app.graphql(query, { search }, '/fr')
    expect(body.errors).toBeUndefined()
    const found = { nodes: [{ name: expected }] }
    expect(body.data).toEqual({ words: found, substring: found })
  })
})

describe('names', () => {
  it('of existing records are found by either spelling', async () => {
    const editor = await app.signIn('editor')
    for (const [kind, name] of [
      ['Venue', 'Theatre du coeur'],
      ['Organizer', "Les Soeurs d'Thingvellir"],
    ]) {
      const field = kind?.toLowerCase() ?? ''
      const query = `mutation($input: Create${kind}Input!) { done: create${kind}(input: $input) { ${field} { name } userErrors { message } } }`
      const { body } = await editor.graphql(query, { input: { name, orExisting: true, status: 'PUBLISHED' } }, '/fr')
      expect(body.data.done.userErrors).toEqual([])
      expect(body.data.done[field].name).toMatch(/Cœur|Sœurs/)
    }
  })

  it('of categories and tags identify them by either spelling', async () => {
    const query =
      'query($names: [ID!]) { events(filter: { tags: $names, categories: $names, mustExist: true }) { totalCount } }'
    for (const name of ["Hors-d'oeuvre", 'hors-d’ŒUVRE', 'HORS\u2010D’OEUVRE']) {
      const { body } = await app.graphql(query, { names: [name] }, '/fr')
      expect(body).toEqual({ data: { events: { totalCount: 0 } } })
    }
  })

  it('of one city count as one in facets', async () => {
    const { db } = app
    for (const city of ['Malmø', 'Malmö', 'MALMO', 'Mal\u00admo']) {
      const venueIds = [await makeVenue(db, `Hall of ${city}`, { city })]
      await makeEvent(db, { en: `Night in ${city}` }, { venueIds, start: '2026-12-02T19:00:00' })
    }
    const { body } = await app.graphql('{ eventFacets(filter: { startsOn: "2026-12-02" }) { cities { count } } }')
    expect(body.data.eventFacets.cities).toEqual([{ count: 4 }])
  })
})
