// How texts are compared, in the service and in the database.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foldLine, foldText } from '../../src/calendar/text/fold.ts'
import { openTestDatabase, type TestDatabase } from '../helpers/db.ts'

let opened: TestDatabase

beforeAll(async () => {
  opened = await openTestDatabase()
})
afterAll(() => opened?.close())

test.each([
  ['Fête', 'fete'],
  ['FÊTE', 'fete'],
  ['Fe\u0302te', 'fete'],
  ['Niños', 'ninos'],
  ['İstanbul', 'istanbul'],
  ['ISTANBUL', 'istanbul'],
  ['Straße STRAẞE', 'strasse strasse'],
  ['Cœur ŒUVRE Æsir', 'coeur oeuvre aesir'],
  ['Łódź Đorđe Smørrebrød Þór ð ISPARTA ısparta', 'lodz dorde smorrebrod thor d isparta isparta'],
  ['L’été l‘été lʼété l´été l`été l′été', "l'ete l'ete l'ete l'ete l'ete l'ete"],
  ['Saint‑Malo Saint‐Malo Saint–Malo Saint—Malo Saint−Malo', 'saint-malo saint-malo saint-malo saint-malo saint-malo'],
  ['Zwie\u00adbel zwie\u200bbel zwie\u2060bel \ufeffzwie\u200dbel', 'zwiebel zwiebel zwiebel zwiebel'],
  ['« a » “b” „c“', '" a " "b" "c"'],
  ['ﬁn', 'fin'],
  ['Ｆｕｌｌ', 'full'],
  ['ガギグ', 'ガギグ'],
  ['カ\u3099', 'ガ'],
  ['ｶﾞ', 'ガ'],
  ['مَرحبا', 'مَرحبا'],
  ['Ёлка', 'елка'],
  ['Ελλάδα', 'ελλαδα'],
  ['한국', '한국'],
  ['', ''],
])('fold(%j) is %j', (text, folded) => {
  expect(foldText(text)).toBe(folded)
  expect(foldText(folded)).toBe(folded)
})

/** Without ranges whose letters are newer than some versions of PostgreSQL. */
const ranges = [
  ...[
    [0x1, 0x1c88],
    [0x1c90, 0xa7ca],
    [0xab00, 0xd7ff],
    [0xe000, 0xffff],
  ],
  ...[
    [0x1d400, 0x1d7ff],
    [0x1f100, 0x1f2ff],
    [0xe0000, 0xe01ff],
  ],
] as const

test('the database folds each character as the service does', async () => {
  const codes = ranges.flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, n) => first + n))
  const words = codes.map((code) => String.fromCodePoint(code)).map((character) => `a${character}B ${character}`)
  const samples = Array.from({ length: Math.ceil(words.length / 16) }, (_, n) =>
    words.slice(16 * n, 16 * n + 16).join(' '),
  )
  const { rows } = await opened.database.pool.query<{ folded: string }>(
    'SELECT fold_line(sample) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS t (sample, position) ORDER BY position',
    [samples],
  )
  const different = samples.map((sample, index) => [sample, foldLine(sample), rows[index]?.folded])
  expect(different.filter(([, one, other]) => one !== other)).toEqual([])
})
