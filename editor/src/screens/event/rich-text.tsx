// Large: loaded when a description is shown.
import type { Editor } from '@tiptap/core'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Toolbar } from 'react-aria-components'
import { toAddress } from '../../address.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextArea, TextField } from '../../components/field.tsx'
import type { ProblemText } from '../../graphql/errors.ts'
import { useMessages } from '../../messages.ts'
import { useEventMessages } from './messages/messages.ts'
import { RichTextSpace } from './rich-text-space.tsx'
import { showHtml } from './show-html.ts'
import { convertWordLists } from './word-lists.ts'

export interface RichTextProps {
  readonly label: string
  readonly lang: string
  readonly name: string
  /** HTML. */
  readonly value: string
  readonly onChange: (html: string) => void
  readonly error?: ProblemText | undefined
  readonly isDisabled: boolean
}

/** Elements that the editor keeps. Other ones, such as tables, would be lost, so their text is shown as it is. */
const known = 'p,br,hr,strong,b,em,i,u,s,code,pre,h2,h3,ul,ol,li,blockquote,a'

function isKnown(html: string): boolean {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return [...body.querySelectorAll('*')].every((element) => element.matches(known))
}

export function RichText(props: RichTextProps) {
  const { texts } = useEventMessages()
  const { label, lang, name, value, onChange, error, isDisabled } = props
  // Another person may bring in such elements. While their text is written as it is, it stays so.
  const [isSource, setSource] = useState(false)
  const needsSource = useMemo(() => !isKnown(value), [value])
  if (needsSource && !isSource) setSource(true)
  if (!isSource && !needsSource) return <VisualEditor {...props} />
  return (
    <TextArea
      {...{ label, lang, name, value, error }}
      help={texts.source}
      rows={10}
      disabled={isDisabled}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function VisualEditor({ label, lang, name, value, onChange, error, isDisabled }: RichTextProps) {
  const id = useId()
  const shown = useRef<string>(undefined)
  /** What the form has if nobody but this editor changes it. */
  const [own, setOwn] = useState(value)
  const emit = useEffectEvent((editor: Editor) => {
    const html = htmlOf(editor)
    // Nobody wrote the empty line that follows a heading as soon as the text has the focus.
    if (html === shown.current) return
    shown.current = html
    setOwn(html)
    onChange(html)
  })
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3] },
        link: {
          openOnClick: false,
          protocols: ['http', 'https', 'mailto', 'tel'],
          HTMLAttributes: { target: null, rel: null },
        },
      }),
    ],
    content: value,
    // One that is made while rendering is destroyed again if the screen takes long to appear.
    immediatelyRender: false,
    editable: !isDisabled,
    // The Content-Security-Policy allows no style elements.
    injectCSS: false,
    editorProps: {
      transformPastedHTML: convertWordLists,
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'data-name': name,
        lang,
        class: 'rich-text',
        ...(error && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error` }),
      },
    },
    onCreate: ({ editor }) => {
      shown.current = htmlOf(editor)
    },
    onUpdate: ({ editor }) => emit(editor),
  })
  // Another person's text, or one that was restored, before the next letter is typed. React runs effects again for a screen that
  // was hidden while a part of it was loaded; the editor is destroyed by then, and a new one follows.
  useLayoutEffect(() => {
    if (!editor || editor.isDestroyed || value === own) return
    showHtml(editor, value)
    shown.current = htmlOf(editor)
    setOwn(value)
  }, [editor, value, own])
  useEffect(() => {
    if (editor && !editor.isDestroyed) editor.setEditable(!isDisabled, false)
  }, [editor, isDisabled])
  if (!editor) return <RichTextSpace {...{ label, lang, value }} />
  return (
    <div className="field">
      <span className="label" aria-hidden="true">
        {label}
      </span>
      <FormatBar editor={editor} isDisabled={isDisabled} />
      <EditorContent editor={editor} />
      {error && (
        <p className="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** Without the empty line at the end, to which the cursor can go. */
const htmlOf = (editor: Editor): string => (editor.isEmpty ? '' : editor.getHTML().replace(/(<p><\/p>)+$/, ''))

/** The arrow keys move between the buttons, and Tab leads to the text. */
function FormatBar({ editor, isDisabled }: { readonly editor: Editor; readonly isDisabled: boolean }) {
  const { toolbar } = useEventMessages()
  const [isLinking, setLinking] = useState(false)
  const state = useEditorState({
    editor,
    selector: ({ editor }) => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      heading: editor.isActive('heading', { level: 2 }),
      subheading: editor.isActive('heading', { level: 3 }),
      bullets: editor.isActive('bulletList'),
      numbers: editor.isActive('orderedList'),
      quote: editor.isActive('blockquote'),
      link: editor.isActive('link'),
      canUndo: editor.can().undo(),
      canRedo: editor.can().redo(),
    }),
  })
  function run() {
    // The command `focus` waits for the next frame: keys that are pressed before would be lost.
    editor.view.focus()
    return editor.chain()
  }
  const tools = [
    { name: 'bold', sign: 'B', run: () => run().toggleBold().run() },
    { name: 'italic', sign: 'I', run: () => run().toggleItalic().run() },
    { name: 'heading', sign: 'H', run: () => run().toggleHeading({ level: 2 }).run() },
    { name: 'subheading', sign: 'h', run: () => run().toggleHeading({ level: 3 }).run() },
    { name: 'bullets', sign: '•', run: () => run().toggleBulletList().run() },
    { name: 'numbers', sign: '№', run: () => run().toggleOrderedList().run() },
    { name: 'quote', sign: '”', run: () => run().toggleBlockquote().run() },
    { name: 'link', sign: toolbar.link, run: () => setLinking(true) },
  ] as const
  return (
    <Toolbar aria-label={toolbar.label} className="format-bar">
      {tools.map(({ name, sign, run }) => (
        <button
          key={name}
          type="button"
          className={`tool ${name}`}
          aria-label={toolbar[name]}
          title={toolbar[name]}
          aria-pressed={state[name]}
          disabled={isDisabled}
          data-sign={sign}
          onClick={run}
        />
      ))}
      <button
        type="button"
        className="tool"
        aria-label={toolbar.undo}
        title={toolbar.undo}
        disabled={isDisabled}
        aria-disabled={!state.canUndo || undefined}
        data-sign="↶"
        onClick={() => run().undo().run()}
      />
      <button
        type="button"
        className="tool"
        aria-label={toolbar.redo}
        title={toolbar.redo}
        disabled={isDisabled}
        aria-disabled={!state.canRedo || undefined}
        data-sign="↷"
        onClick={() => run().redo().run()}
      />
      {isLinking && <LinkDialog editor={editor} onClose={() => setLinking(false)} />}
    </Toolbar>
  )
}

function LinkDialog({ editor, onClose }: { readonly editor: Editor; readonly onClose: () => void }) {
  const messages = useMessages()
  const { toolbar } = useEventMessages()
  const [address, setAddress] = useState(String(editor.getAttributes('link').href ?? ''))
  const [error, setError] = useState<string>()
  function apply() {
    const text = address.trim()
    const href = toAddress(text)
    if (text !== '' && !href) return setError(toolbar.addressError)
    onClose()
    const chain = editor.chain().focus().extendMarkRange('link')
    if (!href) chain.unsetLink().run()
    else if (editor.state.selection.empty && !editor.isActive('link'))
      chain.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
  }
  return (
    <Dialog title={toolbar.linkTitle} onClose={onClose}>
      <TextField
        label={toolbar.address}
        help={toolbar.addressHelp}
        error={error}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key !== 'Enter') return
          event.preventDefault()
          apply()
        }}
      />
      <div className="actions">
        <Button look="primary" onClick={apply}>
          {toolbar.apply}
        </Button>
        <Button onClick={onClose}>{messages.cancel}</Button>
      </div>
    </Dialog>
  )
}
