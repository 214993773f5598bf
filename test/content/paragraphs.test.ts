import { expect, test } from 'vitest'
import { textToHtmlParagraphs } from '../../src/calendar/text/paragraphs.ts'

test.each([
  ['', ''],
  [' \n ', ''],
  ['X', '<p>X</p>'],
  ['  X\n', '<p>X</p>'],
  ['A\n\nB', '<p>A</p>\n<p>B</p>'],
  ['A\n \n\nB', '<p>A</p>\n<p>B</p>'],
  ['A\nB', '<p>A<br />\nB</p>'],
  ['A\r\nB', '<p>A<br />\nB</p>'],
  ['A\r\n\r\nB', '<p>A</p>\n<p>B</p>'],
  ['A <b>bold</b>', '<p>A <b>bold</b></p>'],
  ['<p>A</p>', '<p>A</p>'],
  ['<p>A</p>\n<p>B</p>', '<p>A</p>\n<p>B</p>'],
  ['A<p>B</p>C', '<p>A</p>\n<p>B</p>\n<p>C</p>'],
  ['<ul>\n<li>A</li>\n\n<li>B</li>\n</ul>', '<ul>\n<li>A</li>\n\n<li>B</li>\n</ul>'],
  ['<pre>a\n\nb</pre>', '<pre>a\n\nb</pre>'],
  ['A<hr>B', '<p>A</p>\n<hr>\n<p>B</p>'],
  ['<h2 class="x">T</h2>\nA', '<h2 class="x">T</h2>\n<p>A</p>'],
  ['<a href="https://x.test">A</a>', '<p><a href="https://x.test">A</a></p>'],
  ['<abbr title="x">A</abbr>', '<p><abbr title="x">A</abbr></p>'],
  ['1 < 2 & 3', '<p>1 < 2 & 3</p>'],
])('paragraphs(%j) is %j', (text, html) => {
  expect(textToHtmlParagraphs(text)).toBe(html)
})

test('HTML blocks stay unchanged', () => {
  for (const text of ['A\n\nB', 'A\nB', 'A<hr>B', '<ul><li>A</li></ul>B']) {
    const html = textToHtmlParagraphs(text)
    expect(textToHtmlParagraphs(html)).toBe(html)
  }
})
