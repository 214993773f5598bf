import { html } from 'ghtml'
import { notFound } from '../../basics/errors.ts'
import { PageCategoryDocument, PageTagDocument, type PageTermFragment } from '../../generated/graphql/graphql.ts'
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
  const { execute, context, messages } = pageRequest
  const { category } = await execute(PageCategoryDocument, { slug }, context)
  if (!category) throw notFound('category', 'slug')
  const parents = category.parent ? [category.parent] : []
  const around = definitionList([
    [messages.partOf, chips(parents)],
    [messages.within, chips(category.children.nodes)],
  ])
  return termPage('categories', category, pageRequest, parents, around)
}

export async function tagPage({ slug }: { slug: string }, pageRequest: PageRequest): Promise<Page> {
  const { tag } = await pageRequest.execute(PageTagDocument, { slug }, pageRequest.context)
  if (!tag) throw notFound('tag', 'slug')
  return termPage('tags', tag, pageRequest)
}

async function termPage(
  list: 'categories' | 'tags',
  term: PageTermFragment,
  pageRequest: PageRequest,
  parents: NonNullable<Page['breadcrumbs']> = [],
  around = '',
): Promise<Page> {
  const { databaseId, slug, name, description, url, icalendarUrl, languages } = term
  return {
    title: name,
    description: summary(description),
    url,
    indexed: true,
    formats: listFormats(icalendarUrl, pageRequest),
    languages: await languageLinks(term, pageRequest),
    breadcrumbs: [...listBreadcrumb(list, pageRequest), ...parents],
    restPath: `/events/?${list}=${encodeURIComponent(slug)}`,
    body: html`<div class="wrap intro"><h1!${langAttribute(languages.tag, pageRequest)}>${name}</h1>
!${translationNote(term, pageRequest)}
!${description ? html`<p class="lead"!${langAttribute(descriptionTag(term), pageRequest)}>${description}</p>` : ''}
!${around}</div>
!${await upcomingEvents({ [list]: [String(databaseId)] }, pageRequest, icalendarUrl)}`,
  }
}
