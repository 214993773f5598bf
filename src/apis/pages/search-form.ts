import { html } from 'ghtml'
import { filePath, homeUrl, type PageContext, suggestionsPath } from './page.ts'

/** The search of the site. `others` are parameters that stay. */
export function searchForm(
  { settings, language, messages }: PageContext,
  search = '',
  others: Readonly<Record<string, string | undefined>> = {},
): string {
  const hidden = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  )
  return html`<form class="search" role="search" action="${homeUrl(language, settings)}">
<label for="search">${messages.search}</label>
<input type="search" id="search" name="search" maxlength="200" value="${search}" data-suggestions="${filePath(suggestionsPath(language), settings)}">!${hidden}
<button>${messages.find}</button>
</form>`
}
