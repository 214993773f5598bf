import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPlainText, toSafeHtml } from '../../src/calendar/text/sanitize.ts'
import { work } from '../helpers/cpu.ts'

describe('plain text', () => {
  it.each([
    ['Jazz night', 'Jazz night'],
    ['  Jazz\n\t night\u0007\u00a0 ', 'Jazz night'],
    ['<b>Jazz</b> <a title="x" href=\'y\'>night</a><br/>', 'Jazz night'],
    ['Jazz<script>alert(1)</script> night<STYLE type="a">b{}</Style >', 'Jazz night'],
    ['Jazz <script>never closed', 'Jazz'],
    ['Jazz <!-- <b>hidden</b> --> night', 'Jazz night'],
    ['<b>J</b>azz<br>night<p>late</p>show<p></p>', 'Jazz night late show'],
    ['a < b > c', 'a < b > c'],
    ['I <3 you', 'I <3 you'],
    ['a <b without end', 'a <b without end'],
    ['\u006e\u0303ame', 'ñame'],
    ['Ñandú & 日本語 🎷', 'Ñandú & 日本語 🎷'],
    ['half a character \ud83c', 'half a character \ufffd'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(toPlainText(text, { decodeEntities: false })).toBe(expected)
    expect(toPlainText(text, { decodeEntities: true })).toBe(expected)
  })

  it.each([
    ['Rock &amp; Roll', 'Rock & Roll'],
    ['&lt;b&gt;bold&lt;/b&gt;', '<b>bold</b>'],
    ['&amp;lt;', '&lt;'],
    ['caf&eacute;&#8217;s &#x1F3B7;', 'café’s 🎷'],
    ['a&nbsp;&#10;b', 'a b'],
    ['R&D &copy 2026 ?a=1&copy=2', 'R&D &copy 2026 ?a=1&copy=2'],
    ['&#xD800;', '\ufffd'],
    ['&bogus;', '&bogus;'],
  ])('%j with entities', (text, expected) => {
    expect(toPlainText(text, { decodeEntities: true })).toBe(expected)
    expect(toPlainText(text, { decodeEntities: false })).toBe(text)
  })

  it('decodes &, < and > of responses', () => {
    const shown = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    fc.assert(
      fc.property(htmlish, (text) => {
        const stored = toPlainText(text, { decodeEntities: true })
        expect(toPlainText(shown(stored), { decodeEntities: true })).toBe(stored)
      }),
    )
  })
})

describe('safe HTML keeps', () => {
  it.each([
    '<p>One <strong>two</strong> <em>three</em></p>\n\n<p>four</p>',
    'First line\nsecond line\n\nnext paragraph',
    '<h2>Title</h2><ul><li>a</li><li>b</li></ul><ol><li>c</li></ol><blockquote>d</blockquote><pre><code>e\n</code></pre>',
    '<a href="https://example.org/?a=1&amp;b=2" title="x">y</a>',
    '<a href="mailto:a@example.org">y</a><a href="tel:+331">z</a><a href="/event/x/">w</a><a href="#top">v</a>',
    '<figure><img src="https://example.org/a.jpg" alt="" width="3" height="4" /><figcaption>x</figcaption></figure>',
    '<table><thead><tr><th colspan="2" scope="col">a</th></tr></thead><tbody><tr><td rowspan="2">b</td></tr></tbody></table>',
    '<dl><dt>a</dt><dd>b</dd></dl><div>c<br />d<hr /></div><span>e</span><u>f</u><s>g</s><sub>h</sub><sup>i</sup>',
    '“Ñandú” & 日本語'.replace('&', '&amp;'),
    'It\'s "quoted"\u00a0twice',
    '',
  ])('%s', (html) => {
    expect(toSafeHtml(html)).toBe(html)
  })
})

describe('safe HTML changes', () => {
  it.each([
    ['<p style="color:red" class="x" id="y" onclick="z()">a</p>', '<p>a</p>'],
    ['a<script>alert(1)</script>b<style>c{}</style><iframe src="https://x.test">d</iframe>', 'ab'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href=" java\tscript:alert(1)">a</a>', '<a>a</a>'],
    ['<a href="JaVaScRiPt&colon;alert(1)">a</a>', '<a>a</a>'],
    ['<a href="data:text/html,x">a</a>', '<a>a</a>'],
    ['<a href="ftp://example.org">a</a>', '<a>a</a>'],
    ['<a href="//example.org">a</a><a href="/\\example.org">b</a>', '<a>a</a><a>b</a>'],
    ['<img src="data:image/png;base64,x" onerror="y()" alt="z">', '<img alt="z" />'],
    ['<img src="mailto:a@example.org"><img src="//example.org/a.png">', '<img /><img />'],
    ['<form action="x"><input value="y"><button>z</button></form>', 'z'],
    ['<svg><a xlink:href="javascript:x">y</a></svg>', '<a>y</a>'],
    ['<section><article>a</article></section>', '<div><div>a</div></div>'],
    ['<Section>a</Section><main>b</main>', '<div>a</div><div>b</div>'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['&nbsp;&eacute;&#8217;&lt;b&gt;&amp;amp;', '\u00a0é’&lt;b&gt;&amp;amp;'],
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<b>a<!-- b --></b><!-- c', '<b>a</b>'],
    ['<!--><script>alert(1)</script>-->', '--&gt;'],
    ['<a href="x" target="_blank">y</a>', '<a href="x" target="_blank" rel="noopener">y</a>'],
    ['<a target="_BLANK" rel="nofollow opener">y</a>', '<a target="_BLANK" rel="nofollow noopener">y</a>'],
    ['<a target="_self">y</a>', '<a target="_self">y</a>'],
    ['<p><x><p>a', '<p></p><p>a</p><p></p>'],
    ['half \ud83c', 'half \ufffd'],
  ])('%s', (html, expected) => {
    expect(toSafeHtml(html)).toBe(expected)
  })

  it('too many or too deeply nested tags into plain text', () => {
    expect(toSafeHtml(`${'<b>a</b>'.repeat(50_001)}`)).toBe('a'.repeat(50_001))
    expect(toSafeHtml(`${'<div>'.repeat(501)}a &amp; b < c`)).toBe('a &amp; b &lt; c')
    expect(toSafeHtml(`${'<div>'.repeat(400)}a`)).toBe(`${'<div>'.repeat(400)}a${'</div>'.repeat(400)}`)
  })
})

const knownFields =
  /^<\/?([bh]r|strong|[abipsu]|em|su[bp]|h[1-6]|[uo]l|li|d[ltd]|blockquote|pre|code|img|fig(ure|caption)|table|thead|tbody|t[rhd]|span|div)\b/

describe('safe HTML of any text', () => {
  it('is idempotent', () => {
    fc.assert(
      fc.property(htmlish, (html) => {
        const once = toSafeHtml(html)
        expect(toSafeHtml(once)).toBe(once)
      }),
      { numRuns: 500 },
    )
  })

  it('has only tags, attributes and schemes of the allow-list', () => {
    fc.assert(
      fc.property(htmlish, (html) => {
        const tags = toSafeHtml(html).match(/<[^>]*>/g) ?? []
        for (const tag of tags) expect(tag).toMatch(knownFields)
        expect(tags.join('')).not.toMatch(/(href|src)="javascript:/i)
        expect(tags.join('').replace(/="[^"]*"/g, '')).not.toMatch(/\s(on\w+|style|class)\b/i)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a megabyte of malicious text is sanitized fast', () => {
  it.each([
    ['<div>'],
    ['<b><i>'],
    ['<b/>'],
    ['<b title="</b>">'],
    ['<table><tr><td>'],
    ['<x>'],
    ['<p>'],
    ['</p>'],
    ['<'],
    ['<a href="'],
    ['<!--'],
    ['<script>'],
    ['&#'],
    ['<a<'],
  ])('%s', (part) => {
    const hostile = part.repeat(2 ** 20 / part.length)
    const read = () => [toSafeHtml(hostile), toPlainText(hostile, { decodeEntities: true })]
    expect(work(read)).toBeLessThan(1000)
  })
})

const htmlish = fc
  .array(
    fc.oneof(
      fc.constantFrom('<p>', '</p>', '<b>', '</b>', '<i>', '<ul>', '<li>', '</ul>', '<td>', '<tr>', '<table>', '<div>'),
      fc.constantFrom(
        '<x>',
        '</x>',
        '<script>',
        '</script>',
        '<style>',
        '<svg>',
        '<title>',
        '<option>',
        '<br>',
        '<pre>',
      ),
      fc.constantFrom(
        '<a href="',
        "<a href='x'>",
        '">',
        '<img src=x onerror=y>',
        '<a target=x rel="a b">',
        '<p class=x>',
      ),
      fc.constantFrom(
        'javascript:',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<?',
        '&',
        '&amp;',
        '&lt;',
        '&nbsp',
        '&#60;',
        '&#',
      ),
      fc.constantFrom('<', '>', '"', "'", '/', '\n', ' ', '\u00a0', '=', '\\'),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''))
