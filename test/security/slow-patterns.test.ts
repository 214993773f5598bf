// No regular expression takes more than linear time for text that clients send (ReDoS).
import { expect, test } from 'vitest'
import { decimalParam, integerListParam, positiveIntegerParam } from '../../src/apis/rest/params.ts'
import { removeTags } from '../../src/apis/rest/text.ts'
import {
  costsParam,
  htmlParam,
  lineOrEmptyParam,
  termsParam,
  timeZoneParam,
  titleParam,
  urlOrEmptyParam,
} from '../../src/apis/rest/write-params.ts'
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
  withoutTags: removeTags,
  'a positive integer': (text) => positiveIntegerParam.safeParse(text),
  'a list of integers': (text) => integerListParam.safeParse(text),
  'a decimal number': (text) => decimalParam(0, 1).safeParse(text),
  'terms of an event': (text) => termsParam.safeParse(text),
  costs: (text) => costsParam.safeParse(text),
  title: (text) => titleParam.safeParse(text),
  html: (text) => htmlParam.safeParse(text),
  'a line': (text) => lineOrEmptyParam.safeParse(text),
  'a link': (text) => urlOrEmptyParam.safeParse(text),
  'a zone': (text) => timeZoneParam.safeParse(text),
}

const cases = Object.keys(readers).flatMap((reader) => Object.keys(texts).map((text) => [reader, text] as const))

test.each(cases)('%s reads %s quickly', (reader, text) => {
  // Patterns that look back took 20,000 times the loop and more for as much text.
  expect(work(() => readers[reader]?.(texts[text] ?? ''))).toBeLessThan(1500)
})
