import { describe, expect, test } from 'vitest'
import {
  type OwnText,
  type ServedTextRow,
  toSearchedText,
  toServedTextRows,
} from '../../src/calendar/text/text-rows.ts'
import type { RecordKind } from '../../src/kinds.ts'

const site = { languages: ['en', 'fr', 'es'], defaultLanguage: 'en' }

const served = (original: string, own: Record<string, OwnText>, searchedColumns: string[] = []) => {
  const rows = toServedTextRows({ id: 7, original, own: new Map(Object.entries(own)), searchedColumns }, site)
  return Object.fromEntries(rows.map((row) => [row.language, row]))
}

describe('served texts', () => {
  test('of a record in one language are the same in all languages', () => {
    const rows = served('fr', { fr: { name: 'Fête', description: 'Longue', excerpt: 'Courte', slug: 'fete' } })
    const text = { id: 7, name: 'Fête', description: 'Longue', excerpt: 'Courte', slug: 'fete', source: 'fr' }
    expect(Object.keys(rows).toSorted()).toEqual(['en', 'es', 'fr'])
    expect(rows.fr).toMatchObject({ ...text, written: ['name', 'description', 'excerpt', 'slug'] })
    for (const language of ['en', 'es']) expect(rows[language]).toMatchObject({ ...text, language, written: [] })
  })

  const own = {
    fr: { name: 'Fête', description: 'Longue', excerpt: 'Courte', slug: 'fete' },
    en: { description: 'Long' },
    es: { excerpt: '' },
  }
  test.each([
    ['fr', 'name', 'Fête', 'its own'],
    ['en', 'name', 'Fête', 'the first written'],
    ['es', 'name', 'Fête', 'the first written'],
    ['fr', 'description', 'Longue', 'its own'],
    ['en', 'description', 'Long', 'its own'],
    ['es', 'description', 'Long', 'the default'],
    ['en', 'excerpt', 'Courte', 'the first written'],
    ['es', 'excerpt', '', 'its own, though empty'],
    ['es', 'slug', 'fete', 'the first written'],
  ] as const)('%s has as %s %j: %s', (language, field, text, _) => {
    expect(served('fr', own)[language]?.[field]).toBe(text)
  })

  test('contain what was written, and the source language of the name', () => {
    const rows = served('fr', own)
    expect([rows.fr?.written, rows.en?.written, rows.es?.written]).toEqual([
      ['name', 'description', 'excerpt', 'slug'],
      ['description'],
      ['excerpt'],
    ])
    expect(['fr', 'en', 'es'].map((language) => rows[language]?.source)).toEqual(['fr', 'fr', 'fr'])
  })

  test('prefer the default language to the original language', () => {
    const rows = served('fr', { fr: { name: 'Fête' }, en: { name: 'Party' } })
    expect([rows.es?.name, rows.es?.source, rows.fr?.source]).toEqual(['Party', 'en', 'fr'])
  })

  test('never come from a third language', () => {
    const rows = served('fr', { fr: { name: 'Fête' }, es: { description: 'Larga' } })
    expect([rows.en?.description, rows.fr?.description, rows.es?.description]).toEqual(['', '', 'Larga'])
  })

  test('keep and complete a language that the site no longer has', () => {
    const rows = served('de', { de: { name: 'Fest' }, it: { description: 'Lunga' } })
    expect(Object.keys(rows).toSorted()).toEqual(['de', 'en', 'es', 'fr', 'it'])
    expect([rows.de?.written, rows.de?.source, rows.en?.name, rows.it?.name]).toEqual([['name'], 'de', 'Fest', 'Fest'])
  })
})

describe('text for search', () => {
  const searched = (kind: RecordKind, row: ServedTextRow | undefined) => row && toSearchedText(kind, row)
  const folded = (text: OwnText, more: string[] = []) => searched('venue', served('en', { en: text }, more).en)

  test.each<[string, OwnText, string[], string]>([
    [
      'has a line for each field',
      { name: 'Fête', description: 'Longue Nuit', excerpt: 'Été' },
      [],
      'fete\nlongue nuit\nete',
    ],
    ['leaves out empty fields', { name: 'Fête', excerpt: ' ' }, ['', '75011'], 'fete\n75011'],
    ['has contact fields last', { name: 'Hall' }, ['1 Rue du Bac', 'Québec'], 'hall\n1 rue du bac\nquebec'],
    ['has no markup', { name: 'A', description: '<p class="hush">One</p><p>Two</p>' }, [], 'a\none two'],
    ['has entities as characters', { name: 'A', description: 'Q&amp;A &lt;b&gt; x&nbsp;y' }, [], 'a\nq&a <b> x y'],
    ['keeps a field on its line', { name: 'A\nB', description: 'C\r\n\tD' }, [], 'a b\nc d'],
    ['has a name as it is', { name: '<3 & more' }, [], '<3 & more'],
    ['has no slug', { name: 'A', slug: 'hush' }, [], 'a'],
  ])('%s', (_, text, more, expected) => {
    expect(folded(text, more)).toBe(expected)
  })

  test('is derived from the served text', () => {
    const rows = served('fr', { fr: { name: 'Fête', description: 'Nuit' }, es: { name: 'Fiesta' } })
    expect([searched('event', rows.en), searched('event', rows.es)]).toEqual(['fete\nnuit', 'fiesta\nnuit'])
  })

  test.each(['category', 'tag'] as const)('is name and slug of a %s', (kind) => {
    const text = { name: 'Fête', description: 'hush', slug: 'la-fete' }
    expect(searched(kind, served('en', { en: text }).en)).toBe('fete\nla-fete')
  })
})
