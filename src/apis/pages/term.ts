import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import { PageCategoryDocument, PageTagDocument, type PageTagQuery } from '../../generated/graphql/graphql.ts'
import { listFormats } from './calendar-links.ts'
import {
  chips,
  definitionList,
  descriptionTag,
  langAttribute,
  languageLinks,
  summary,
  translationNote,
  upcomingEvents,
} from './components.ts'
import { listBreadcrumb } from './list-links.ts'
import type { Page, PageRequest } from './page.ts'

export async function categoryPage({ slug }: { slug: string }, pageRequest: PageRequest): Promise<Page> {
  const { category } = await pageRequest.execute(PageCategoryDocument, { slug }, pageRequest.context)
  if (!category) throw notFound('category', 'slug')
  const { parent, children } = category
  const around = definitionList([
    [pageRequest.messages.partOf, chips(parent ? [parent] : [])],
    [pageRequest.messages.within, chips(children.nodes)],
  ])
  const events = await upcomingEvents({ categories: [String(category.databaseId)] }, pageRequest, category.icalendarUrl)
  return {
    ...(await termPage(category, around, events, pageRequest)),
    breadcrumbs: [...listBreadcrumb('categories', pageRequest), ...(parent ? [parent] : [])],
    restPath: filtered('categories', category),
  }
}

export async function tagPage({ slug }: { slug: string }, pageRequest: PageRequest): Promise<Page> {
  const { tag } = await pageRequest.execute(PageTagDocument, { slug }, pageRequest.context)
  if (!tag) throw notFound('tag', 'slug')
  const events = await upcomingEvents({ tags: [String(tag.databaseId)] }, pageRequest, tag.icalendarUrl)
  return {
    ...(await termPage(tag, '', events, pageRequest)),
    breadcrumbs: listBreadcrumb('tags', pageRequest),
    restPath: filtered('tags', tag),
  }
}

const filtered = (parameter: string, { slug }: { slug: string }) => `/events/?${parameter}=${encodeURIComponent(slug)}`

type Term = NonNullable<PageTagQuery['tag']>

const termPage = async (term: Term, around: string, events: string, pageRequest: PageRequest): Promise<Page> => ({
  title: term.name,
  description: summary(term.description),
  url: term.url,
  indexed: true,
  formats: listFormats(term.icalendarUrl, pageRequest),
  languages: await languageLinks(term, pageRequest),
  body: html`<div class="wrap intro"><h1!${langAttribute(term.languages.tag, pageRequest)}>${term.name}</h1>
!${translationNote(term, pageRequest)}
!${term.description ? html`<p class="lead"!${langAttribute(descriptionTag(term), pageRequest)}>${term.description}</p>` : ''}
!${around}</div>
!${events}`,
})
