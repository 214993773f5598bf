// Lists that are copied from Word and pasted into a description.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitTimeout } from '../../helpers/browser.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'

const soon = { timeout: waitTimeout }
let editor: Editor
beforeAll(async () => {
  editor = await openEditor()
})
afterAll(() => editor?.close())

/** As Word writes it: attributes without quotes, a conditional comment that hides the sign, and spaces of another font. */
const item = (text: string, sign: string, { level = 1, list = 0, name = 'MsoListParagraphCxSpMiddle' } = {}) => `
<p class=${name} style='margin-left:${level * 36}.0pt;mso-add-space:auto;text-indent:-18.0pt;mso-list:l${list} level${level} lfo${list + 1}'><![if !supportLists]><span
lang=EN-GB style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span
style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;
</span></span></span><![endif]><span lang=EN-GB>${text}<o:p></o:p></span></p>
`
const normal = (text: string) => `
<p class=MsoNormal><span lang=EN-GB>${text}<o:p></o:p></span></p>
`
const document = (...parts: string[]) => `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">
<head><meta name=Generator content="Microsoft Word 15"><style><!--@list l0 {mso-list-id:1; mso-list-type:hybrid;}--></style></head>
<body lang=EN-GB style='tab-interval:36.0pt'><!--StartFragment-->${parts.join('')}<!--EndFragment--></body></html>`

test.each([
  [
    'signs between paragraphs',
    document(
      normal('Bring:'),
      item('a <b>pen</b>', '·', { name: 'MsoListParagraphCxSpFirst' }),
      item('paper', '·', { name: 'MsoListParagraphCxSpLast' }),
      normal('Welcome'),
      item('tea', '·', { name: 'MsoListParagraph' }),
    ),
    '<p>Bring:</p><ul><li><p>a <strong>pen</strong></p></li><li><p>paper</p></li></ul><p>Welcome</p><ul><li><p>tea</p></li></ul>',
  ],
  [
    'numbers with signs below them',
    document(
      item('one', '1.'),
      item('sign', 'o', { level: 2 }),
      item('deep', '§', { level: 3 }),
      item('other', 'o', { level: 2 }),
      item('two', '2.'),
    ),
    '<ol><li><p>one</p><ul><li><p>sign</p><ul><li><p>deep</p></li></ul></li><li><p>other</p></li></ul></li><li><p>two</p></li></ol>',
  ],
  [
    'letters, then another list',
    document(item('first', 'a)'), item('second', 'b)'), item('dash', '–', { list: 1 }), item('dot', '1.', { list: 2 })),
    '<ol><li><p>first</p></li><li><p>second</p></li></ol><ul><li><p>dash</p></li></ul><ol><li><p>dot</p></li></ol>',
  ],
  [
    'a list that begins below its first level',
    document(item('low', '·', { level: 2 }), item('high', '·')),
    '<ul><li><p>low</p></li></ul><ul><li><p>high</p></li></ul>',
  ],
  [
    'a sign without comments',
    document(item('plain', '·').replace('<![if !supportLists]>', '').replace('<![endif]>', '')),
    '<ul><li><p>plain</p></li></ul>',
  ],
  [
    'a sign that only comments mark',
    document(item('plain', '·').replace('mso-list:Ignore', '')),
    '<ul><li><p>plain</p></li></ul>',
  ],
  ['a list of a page', '<ul><li>one</li></ul><p>mso-list: no</p>', '<ul><li><p>one</p></li></ul><p>mso-list: no</p>'],
])('%s', async (_name, html, expected) => {
  const { page } = await editor.open('/events/new')
  const text = page.getByRole('textbox', { name: 'Description (English)', exact: true })
  await text.focus()
  await text.evaluate((element, html) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', html)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, html)
  await expect
    // Below a list at the end, the editor has an empty paragraph.
    .poll(async () => (await text.innerHTML()).replace(/<p><br class="ProseMirror-trailingBreak"><\/p>$/, ''), soon)
    .toBe(expected)
})
