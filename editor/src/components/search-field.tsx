import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { TextField } from './field.tsx'

/** Milliseconds after the last key before the search starts. */
const typingPause = 300

interface Props {
  readonly label: string
  readonly placeholder?: string
  /** What is searched for, without spaces around it. */
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** A field that searches once the person pauses. Another `key` forgets what was typed since the last search. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  // The search changed elsewhere, for example by the Back button. Spaces around the typed text stay.
  if (value !== applied) {
    setApplied(value)
    if (text.trim() !== value) setText(value)
  }
  const search = useEffectEvent(onSearch)
  // A layout effect also ends when another screen is opened whose code still loads: a search would lead back from there.
  useLayoutEffect(() => {
    const searched = text.trim()
    if (searched === value) return
    const timer = setTimeout(() => search(searched), typingPause)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  )
}
