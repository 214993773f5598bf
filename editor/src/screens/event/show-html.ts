import { createDocument, type Editor } from '@tiptap/core'

/**
 * Shows another text. Only the part that differs is replaced, so that the cursor stays where somebody writes, and undo takes
 * back nothing but what was written here.
 */
export function showHtml(editor: Editor, html: string): void {
  const { tr } = editor.state
  const { content } = tr.doc
  const next = createDocument(html, editor.schema)
  const start = content.findDiffStart(next.content)
  const end = content.findDiffEnd(next.content)
  if (start === null || end === null) return
  // The same letters may be before the difference and after it.
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  tr.replace(start, end.a + overlap, next.slice(start, end.b + overlap))
  // A part may not fit between the paragraphs around it.
  if (!tr.doc.eq(next)) tr.replaceWith(0, tr.doc.content.size, next.content)
  editor.view.dispatch(tr.setMeta('addToHistory', false).setMeta('preventUpdate', true))
}
