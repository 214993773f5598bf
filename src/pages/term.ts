import { html } from 'ghtml'
import { notFound } from '../errors.ts'
import { PageCategoryDocument, PageTagDocument, type PageTagQuery } from '../generated/graphql/graphql.ts'
import type { Page, Visit } from './page.ts'
import { chips, comingEvents, facts, langOf, languagesOf, summary, untranslated } from './parts.ts'

export async function categoryPage({ slug }: { slug: string }, visit: Visit): Promise<Page> {
  const { category } = await visit.execute(PageCategoryDocument, { slug }, visit.context)
  if (!category) throw notFound('category', 'slug')
  const { parent, children } = category
  const around = facts([
    [visit.words.partOf, chips(parent ? [parent] : [])],
    [visit.words.within, chips(children)],
  ])
  return termPage(category, around, await comingEvents({ categories: [String(category.databaseId)] }, visit), visit)
}

export async function tagPage({ slug }: { slug: string }, visit: Visit): Promise<Page> {
  const { tag } = await visit.execute(PageTagDocument, { slug }, visit.context)
  if (!tag) throw notFound('tag', 'slug')
  return termPage(tag, '', await comingEvents({ tags: [String(tag.databaseId)] }, visit), visit)
}

type Term = NonNullable<PageTagQuery['tag']>

const termPage = async (term: Term, around: string, events: string, visit: Visit): Promise<Page> => ({
  title: term.name,
  description: summary(term.description),
  url: term.url,
  indexed: true,
  languages: await languagesOf(term, visit),
  body: html`<h1!${langOf(term, 'name', visit)}>${term.name}</h1>
!${untranslated(term, visit)}
!${term.description ? html`<p class="lead"!${langOf(term, 'description', visit)}>${term.description}</p>` : ''}
!${around}
!${events}`,
})
