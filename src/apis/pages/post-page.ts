import { html } from 'ghtml'
import type { PagePostFragment } from '../../generated/graphql/graphql.ts'
import { descriptionTag, escaped, langAttribute, languageLinks, passwordForm, previewText } from './components.ts'
import type { Page, PageRequest } from './page.ts'
import { picture } from './picture.ts'

export type PostTarget = { id: string } | { slug: string }

type Post = PagePostFragment & { readonly jsonLd: unknown }

interface PostParts extends Pick<Page, 'title' | 'restPath' | 'formats' | 'breadcrumbs' | 'neighbors'> {
  /** HTML of the title on the page, if it is more than the text. */
  readonly heading?: string
  readonly header: string
  /** HTML beside the content, also of a locked post. */
  readonly aside: string
  /** HTML that a locked post replaces with the password form. */
  readonly content: () => string
  readonly footer: string
}

export async function postPage(
  post: Post,
  { heading, header, aside, content, footer, ...parts }: PostParts,
  pageRequest: PageRequest,
): Promise<Page> {
  const indexed = post.status === 'PUBLISHED' && !post.locked
  return {
    ...parts,
    description: previewText(post.excerptHtml, post.descriptionHtml),
    image: post.image?.url,
    url: post.url,
    indexed,
    languages: await languageLinks(post, pageRequest),
    jsonLd: indexed ? post.jsonLd : undefined,
    formats: indexed ? parts.formats : [],
    body: html`<article class="post wrap">
<header><h1!${langAttribute(post.languages.tag, pageRequest)}>!${heading ?? escaped(parts.title)}</h1>
!${header}</header>
!${post.locked ? '' : picture(post.image, pageRequest)}
!${aside && html`<aside>!${aside}</aside>`}
<div class="content">!${post.locked ? passwordForm(pageRequest) : content()}</div>
</article>
!${footer}`,
  }
}

export const statusNote = ({ status }: Pick<Post, 'status'>, { messages }: PageRequest): string =>
  status === 'PUBLISHED' ? '' : html`<p class="note">${messages.unpublished}</p>`

export const postText = (post: Post, pageRequest: PageRequest): string =>
  html`<div class="text"!${langAttribute(descriptionTag(post), pageRequest)}>!${
    post.descriptionHtml || post.excerptHtml || ''
  }</div>`
