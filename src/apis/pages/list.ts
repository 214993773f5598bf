// The pages that list all venues, organizers, categories or tags.

import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { html } from 'ghtml'
import { notFoundError } from '../../basics/errors.ts'
import { fillPlaceholders } from '../../basics/fill-placeholders.ts'
import {
  PageCategoriesDocument,
  type PageCategoriesQuery,
  PageOrganizersDocument,
  PageTagsDocument,
  PageVenuesDocument,
} from '../../generated/graphql/graphql.ts'
import { langAttribute, paginationHtml } from './components.ts'
import { type ListName, listPageUrl } from './list-links.ts'
import { formatCountedText } from './messages.ts'
import { formatQueryString, type Page, type PageRequest, pageParamOf } from './page.ts'

interface Entry {
  readonly name: string
  readonly url: string
  readonly languages: { readonly tag: string }
  readonly city?: string | null
  readonly country?: string | null
  readonly events?: { readonly totalCount: number }
  readonly children?: readonly Entry[]
}

interface Entries {
  readonly items: readonly Entry[]
  readonly totalPages: number
  /** The number of upcoming events of each entry, by the URL of the entry. */
  readonly counts?: ReadonlyMap<string, number>
}

type ListDocument = TypedDocumentNode<{ readonly list: Entries }, Pick<PageRequest, 'page' | 'search'>>

function readWith(document: ListDocument) {
  return async ({ execute, context, page, search }: PageRequest): Promise<Entries> =>
    (await execute(document, { page, search }, context)).list
}

const read: Readonly<Record<ListName, (pageRequest: PageRequest) => Promise<Entries>>> = {
  venues: readWith(PageVenuesDocument),
  organizers: readWith(PageOrganizersDocument),
  tags: readWith(PageTagsDocument),
  categories: async ({ execute, context, page, search }) => {
    const { categoriesPage, eventFacets } = await execute(PageCategoriesDocument, { page, search }, context)
    const { items, totalPages } = categoriesPage
    return {
      // Results of a search are a flat list, because the search finds categories at every depth.
      items: search === undefined ? treeOf(items) : items,
      totalPages,
      counts: new Map(eventFacets.categories.map(({ category, count }) => [category.url, count])),
    }
  },
}

/** Nests categories. A category whose parent is not on this page of the list becomes a root. */
function treeOf(categories: PageCategoriesQuery['categoriesPage']['items']): Entry[] {
  const listed = new Set(categories.map(({ databaseId }) => databaseId))
  const byParent = Map.groupBy(categories, ({ parent }) =>
    parent && listed.has(parent.databaseId) ? parent.databaseId : undefined,
  )
  const within = (parent?: number): Entry[] =>
    (byParent.get(parent) ?? []).map((category) => ({ ...category, children: within(category.databaseId) }))
  return within()
}

export async function createRecordListPage(list: ListName, pageRequest: PageRequest): Promise<Page> {
  const { settings, language, messages, page, search } = pageRequest
  const entries = await read[list](pageRequest)
  const { items, totalPages } = entries
  if (page > 1 && items.length === 0) throw notFoundError('event', 'id')
  const title = messages.lists[list]
  const query = (to: number) => formatQueryString({ search, page: pageParamOf(to) })
  const own = listPageUrl(list, language, settings)
  const url = (to: number) => own + query(to)
  const empty =
    search === undefined
      ? html`<p>${messages.emptyList}</p>`
      : html`<p>${fillPlaceholders(messages.nothingFound, { text: search })} <a href="${own}">${messages.showAll}</a></p>`
  return {
    title,
    url: url(page),
    indexed: search === undefined && items.length > 0,
    // Each language sorts the list differently, so only the first pages of the languages correspond.
    languages: settings.languages.map((other) => ({
      language: other,
      url: listPageUrl(list, other, settings) + query(1),
      own: page === 1,
    })),
    breadcrumbs: [],
    neighbors: { ...(page > 1 && { prev: url(page - 1) }), ...(page < totalPages && { next: url(page + 1) }) },
    restPath: `/${list}/`,
    body: html`<div class="wrap intro"><h1>${title}</h1>
!${items.length === 0 && search === undefined ? '' : searchIn(own, pageRequest)}
!${items.length === 0 ? empty : html`<ul class="records">!${entryList(items, entries, pageRequest)}</ul>`}
!${paginationHtml({ page, totalPages, url }, pageRequest)}</div>`,
  }
}

const searchIn = (url: string, { messages, search = '' }: PageRequest): string =>
  html`<form class="search" role="search" action="${url}">
<label for="search">${messages.find}</label>
<input type="search" id="search" name="search" maxlength="200" value="${search}">
<button>${messages.find}</button>
</form>`

const entryList = (items: readonly Entry[], { counts }: Pick<Entries, 'counts'>, pageRequest: PageRequest): string => {
  const { messages } = pageRequest
  return items
    .map(({ name, url, languages, city, country, events, children = [] }) => {
      const place = [city, country].filter(Boolean).join(', ')
      const count = events?.totalCount ?? counts?.get(url) ?? 0
      return html`<li><a href="${url}"!${langAttribute(languages.tag, pageRequest)}>${name}</a>!${
        place && html` <span>${place}</span>`
      }!${count === 0 ? '' : html` <small>${formatCountedText(messages.upcomingCount, count, messages)}</small>`}!${
        children.length === 0 ? '' : html`<ul>!${entryList(children, { counts }, pageRequest)}</ul>`
      }</li>`
    })
    .join('')
}
