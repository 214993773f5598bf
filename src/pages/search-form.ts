import { html } from 'ghtml'
import { filePath, homeUrl, type PageContext, suggestionsPath } from './page.ts'

/** The search of the site. */
export const searchForm = (
  { settings, language, messages }: PageContext,
  { search = '' }: { readonly search?: string | undefined } = {},
): string =>
  html`<form class="search" role="search" action="${homeUrl(language, settings)}">
<label for="search">${messages.search}</label>
<input type="search" id="search" name="search" maxlength="200" value="${search}" data-suggestions="${filePath(suggestionsPath(language), settings)}">
<button>${messages.find}</button>
</form>`
