// Numbers and names in the messages of the example app.
import { expect, test } from 'vitest'
import { en } from '../../examples/spa/src/messages/en.ts'
import { es } from '../../examples/spa/src/messages/es.ts'
import { fr } from '../../examples/spa/src/messages/fr.ts'

test('French has the singular for none and one, English and Spanish for one only', () => {
  const textsOf = ({ events, month }: typeof en, count: number) => [events(count), month.more(count)]
  expect([0, 1, 2].map((count) => textsOf(fr, count))).toEqual([
    ['0 événement', '+ 0 autre'],
    ['1 événement', '+ 1 autre'],
    ['2 événements', '+ 2 autres'],
  ])
  expect([0, 1, 2].map((count) => en.events(count))).toEqual(['0 events', '1 event', '2 events'])
  expect([0, 1, 2].map((count) => es.events(count))).toEqual(['0 eventos', '1 evento', '2 eventos'])
})

test('de is shortened before the name of a month that begins with a vowel', () => {
  const months = ['mars 2027', 'avril 2027', 'août 2027', 'octobre 2027', 'novembre 2027']
  expect(months.map((month) => fr.month.caption(month))).toEqual([
    'Événements de mars 2027',
    'Événements d’avril 2027',
    'Événements d’août 2027',
    'Événements d’octobre 2027',
    'Événements de novembre 2027',
  ])
})
