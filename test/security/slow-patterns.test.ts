// No regular expression takes more than linear time for text that clients send (ReDoS).
import { expect, test } from 'vitest'
import { decimal, integerList, positiveInteger } from '../../src/apis/rest/params.ts'
import { plainText } from '../../src/apis/rest/text.ts'
import { costs, html, lineOrEmpty, terms, title, urlOrEmpty, zone } from '../../src/apis/rest/write-params.ts'
import { htmlToLine } from '../../src/basics/strip-tags.ts'
import { parseSearchWords, splitIntoWords } from '../../src/calendar/search/words.ts'
import { foldText } from '../../src/calendar/text/fold.ts'
import { textToHtmlParagraphs } from '../../src/calendar/text/paragraphs.ts'
import { toSafeHtml } from '../../src/calendar/text/sanitize.ts'
import { slugify } from '../../src/calendar/text/slug.ts'
import { work } from '../helpers/cpu.ts'

const long = 200_000
const texts: Readonly<Record<string, string>> = {
  'opening brackets': '<'.repeat(long),
  'opened tags': '<a'.repeat(long / 2),
  digits: `${'1'.repeat(long)}x`,
  'digits with points': `${'1.'.repeat(long / 2)}x`,
  blanks: `a${' '.repeat(long)}b`,
  lines: `a${'\n '.repeat(long / 2)}b`,
  quotes: '"'.repeat(long),
  hyphens: '-'.repeat(long),
  ampersands: '&a'.repeat(long / 2),
  percents: '%e'.repeat(long / 2),
  commas: ','.repeat(long),
  'commas in a word': `a${','.repeat(long)}b`,
  slashes: 'http:/'.repeat(long / 6),
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  slugify,
  fold: foldText,
  searchWords: parseSearchWords,
  fragments: splitIntoWords,
  htmlLine: htmlToLine,
  paragraphs: textToHtmlParagraphs,
  safeHtml: toSafeHtml,
  plainText,
  'a positive integer': (text) => positiveInteger.safeParse(text),
  'a list of integers': (text) => integerList.safeParse(text),
  'a decimal number': (text) => decimal(0, 1).safeParse(text),
  'terms of an event': (text) => terms.safeParse(text),
  costs: (text) => costs.safeParse(text),
  title: (text) => title.safeParse(text),
  html: (text) => html.safeParse(text),
  'a line': (text) => lineOrEmpty.safeParse(text),
  'a link': (text) => urlOrEmpty.safeParse(text),
  'a zone': (text) => zone.safeParse(text),
}

const cases = Object.keys(readers).flatMap((reader) => Object.keys(texts).map((text) => [reader, text] as const))

test.each(cases)('%s reads %s quickly', (reader, text) => {
  // Patterns that look back took 20,000 times the loop and more for as much text.
  expect(work(() => readers[reader]?.(texts[text] ?? ''))).toBeLessThan(1500)
})
