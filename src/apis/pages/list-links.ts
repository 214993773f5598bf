// Links to the pages that list all records of a kind.
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'
import type { Page, PageContext } from './page.ts'

const listNames = ['venues', 'organizers', 'categories', 'tags'] as const
/** Kinds with a page that lists all their records. */
export type ListName = (typeof listNames)[number]

/** Returns the lists whose pages this service serves: none if PAGES_URL is another site, and none whose path the REST API has. */
export function servedListNames({ publicUrl, pagesUrl, restPrefix, restNamespace }: Settings): readonly ListName[] {
  const rest = [restPrefix, `${restPrefix}/${restNamespace}`]
  return pagesUrl === publicUrl ? listNames.filter((list) => !rest.includes(`/${list}`)) : []
}

/** Returns the URL of a list page. URLs in the default language have no language prefix. */
export const listPageUrl = (list: ListName, language: string, { publicUrl, defaultLanguage }: Settings): string =>
  `${publicUrl}${language === defaultLanguage ? '' : `/${language}`}/${list}/`

export const listBreadcrumbs = (list: ListName, pageContext: PageContext) =>
  linksOf(pageContext).filter((link) => link.list === list)

const linksOf = ({ settings, language, messages }: PageContext) =>
  servedListNames(settings).map((list) => ({
    list,
    name: messages.lists[list],
    url: listPageUrl(list, language, settings),
  }))

export function listNavHtml({ url: shown }: Pick<Page, 'url'>, pageContext: PageContext): string {
  const links = linksOf(pageContext).map(
    ({ name, url }) =>
      html`<li><a href="${url}"!${url === shown?.split('?', 1)[0] ? ' aria-current="page"' : ''}>${name}</a></li>`,
  )
  return links.length === 0 ? '' : html`<nav aria-label="${pageContext.messages.browse}"><ul>!${links}</ul></nav>`
}
