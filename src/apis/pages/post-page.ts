import { html } from 'ghtml'
import type { PagePostFragment } from '../../generated/graphql/graphql.ts'
import {
  descriptionLanguage,
  escapeHtml,
  langAttribute,
  passwordFormHtml,
  previewText,
  readLanguageUrls,
} from './components.ts'
import type { Page, PageRequest } from './page.ts'
import { pagePictureHtml } from './picture.ts'

/** What a URL says of a post; of a date of a series also its day, and its number among the dates of this day. */
export type PostIdOrSlug = { id: string } | { slug: string; day?: string | undefined; dayNumber?: number | undefined }

type Post = PagePostFragment & { readonly jsonLd: unknown }

interface PostParts extends Pick<Page, 'title' | 'edit' | 'restPath' | 'formats' | 'breadcrumbs' | 'neighbors'> {
  /** HTML of the title on the page, if it is more than the text. */
  readonly heading?: string
  readonly header: string
  /** HTML beside the content. Pages of protected posts show it, too. */
  readonly aside: string
  /** Returns the HTML of the content. Pages of protected posts show the password form instead. */
  readonly content: () => string
  readonly footer: string
}

export async function createPostPage(
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
    languages: await readLanguageUrls(post, pageRequest),
    jsonLd: indexed ? post.jsonLd : undefined,
    formats: indexed ? parts.formats : [],
    body: html`<article class="post wrap">
<header><h1!${langAttribute(post.languages.tag, pageRequest)}>!${heading ?? escapeHtml(parts.title)}</h1>
!${header}</header>
!${post.locked ? '' : pagePictureHtml(post.image, pageRequest)}
!${aside && html`<aside>!${aside}</aside>`}
<div class="content">!${post.locked ? passwordFormHtml(pageRequest) : content()}</div>
</article>
!${footer}`,
  }
}

export const statusNoteHtml = ({ status }: Pick<Post, 'status'>, { messages }: PageRequest): string =>
  status === 'PUBLISHED' ? '' : html`<p class="note">${messages.unpublished}</p>`

export const postTextHtml = (post: Post, pageRequest: PageRequest): string =>
  html`<div class="text"!${langAttribute(descriptionLanguage(post), pageRequest)}>!${
    post.descriptionHtml || post.excerptHtml || ''
  }</div>`
