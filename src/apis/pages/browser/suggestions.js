// Completes the search while people type, and opens the page of a chosen suggestion. The search works without it.
for (const input of document.querySelectorAll('input[data-suggestions]')) {
  const list = document.createElement('datalist')
  list.id = `${input.id}-suggestions`
  input.after(list)
  input.setAttribute('list', list.id)
  input.autocomplete = 'off'
  let timer
  let request = new AbortController()

  const load = async () => {
    request.abort()
    request = new AbortController()
    const prefix = input.value.trim()
    if (prefix.length < 2) return list.replaceChildren()
    try {
      const url = `${input.dataset.suggestions}?${new URLSearchParams({ prefix })}`
      const response = await fetch(url, { signal: request.signal })
      if (!response.ok) return
      const [, texts, , urls] = await response.json()
      list.replaceChildren(
        ...texts.map((text, index) =>
          Object.assign(document.createElement('option'), { value: text, url: urls[index] }),
        ),
      )
    } catch {
      // The next key tries again.
    }
  }

  input.addEventListener('input', ({ inputType }) => {
    clearTimeout(timer)
    const isChosen = inputType === undefined || inputType === 'insertReplacementText'
    const option = isChosen ? [...list.options].find(({ value }) => value === input.value) : undefined
    if (option) location.assign(option.url)
    else timer = setTimeout(load, 150)
  })
}
