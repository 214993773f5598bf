import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { useQuery } from 'urql'
import { useLocation, useSearch } from 'wouter'
import { graphql } from '../gql/gql.ts'
import type { SearchSuggestionsQuery } from '../gql/graphql.ts'
import { useMessages } from '../languages.ts'
import { eventHref } from './event-card.tsx'

const suggestionsQuery = graphql(`
  query SearchSuggestions($prefix: String!) {
    searchSuggestions(prefix: $prefix, first: 8) {
      text
      kind
      url
    }
  }
`)

type Suggestion = SearchSuggestionsQuery['searchSuggestions'][number]

/** Milliseconds without a key press before suggestions load. */
const pause = 150

/** A search field with a list of suggestions: the pattern "combobox with list autocomplete" of ARIA. */
export function SearchBox() {
  const messages = useMessages()
  const [, navigate] = useLocation()
  const parameter = new URLSearchParams(useSearch()).get('q') ?? ''
  const [text, setText] = useState(parameter)
  const [prefix, setPrefix] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const id = useId()

  useEffect(() => setText(parameter), [parameter])
  useEffect(() => {
    const timer = setTimeout(() => setPrefix(text.trim()), pause)
    return () => clearTimeout(timer)
  }, [text])

  const [{ data }] = useQuery({ query: suggestionsQuery, variables: { prefix }, pause: prefix.length < 2 || !isOpen })
  const suggestions = prefix.length >= 2 ? (data?.searchSuggestions ?? []) : []
  const isShown = isOpen && suggestions.length > 0

  const close = () => {
    setOpen(false)
    setActive(-1)
  }
  const search = () => {
    close()
    navigate(text.trim() === '' ? '/events/' : `/events/?${new URLSearchParams({ q: text.trim() })}`)
  }
  const choose = ({ kind, text: chosen, url }: Suggestion) => {
    close()
    if (kind === 'EVENT' || kind === 'CATEGORY') {
      setText('')
      navigate(eventHref(url))
    } else {
      setText(chosen)
      navigate(`/events/?${new URLSearchParams({ q: chosen })}`)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return close()
    if (!isShown || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return
    if (event.key === 'Enter') {
      const chosen = suggestions[active]
      if (!chosen) return
      event.preventDefault()
      return choose(chosen)
    }
    event.preventDefault()
    const step = event.key === 'ArrowDown' ? 1 : -1
    // One place before the first suggestion is the text itself.
    const places = suggestions.length + 1
    setActive((before) => ((before + 1 + step + places) % places) - 1)
  }

  return (
    <search className="search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search()
        }}
      >
        <input
          type="search"
          name="q"
          role="combobox"
          aria-label={messages.search.label}
          placeholder={messages.search.label}
          autoComplete="off"
          maxLength={200}
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setOpen(true)
            setActive(-1)
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        <button type="submit" className="search-button" aria-label={messages.search.button}>
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <path d="M8.5 2a6.5 6.5 0 1 0 4 11.6l4 4 1.4-1.4-4-4A6.5 6.5 0 0 0 8.5 2Zm0 2a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z" />
          </svg>
        </button>
      </form>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={messages.search.suggestions}
        hidden={!isShown}
        className="suggestions"
      >
        {suggestions.map((suggestion, index) => (
          // The keyboard acts in the field: aria-activedescendant names the option.
          <div
            key={`${suggestion.kind} ${suggestion.url}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(suggestion)
            }}
          >
            <span>{suggestion.text}</span>
            <small className="kind">{messages.suggestionKind[suggestion.kind]}</small>
          </div>
        ))}
      </div>
    </search>
  )
}
