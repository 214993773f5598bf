import { html } from 'ghtml'
import type {
  LanguageCode,
  PageImageFragment,
  PageTranslationsFragment,
  RecordStatus,
} from '../../generated/graphql/graphql.ts'
import { descriptionTag, escaped, langAttribute, languageLinks, passwordForm, summary } from './components.ts'
import type { Page, PageRequest } from './page.ts'
import { picture } from './picture.ts'

export type PostTarget = { id: string } | { slug: string }

interface Post {
  readonly id: string
  readonly status: RecordStatus
  readonly locked: boolean
  readonly languages: { readonly tag: string; readonly description: LanguageCode | null }
  readonly translations: PageTranslationsFragment['translations']
  readonly descriptionHtml: string | null
  readonly excerptHtml: string | null
  readonly image: PageImageFragment | null
  readonly url: string
  readonly jsonLd: unknown
}

interface PostParts {
  readonly title: string
  /** HTML of the title on the page, if it is more than the text. */
  readonly heading?: string
  /** HTML below the title, also of a locked post. */
  readonly header: string
  /** HTML beside the content, also of a locked post. */
  readonly aside: string
  /** HTML that a locked post replaces with the password form. */
  readonly content: () => string
  readonly restPath?: string
  readonly formats?: Page['formats']
  readonly breadcrumbs?: Page['breadcrumbs']
  readonly neighbors?: Page['neighbors']
  /** HTML after the article. */
  readonly footer?: string
}

/** The page of an event, venue or organizer. */
export async function postPage(
  post: Post,
  { title, heading = escaped(title), header, aside, content, ...parts }: PostParts,
  pageRequest: PageRequest,
): Promise<Page> {
  const { restPath, formats = [], breadcrumbs = [], neighbors = {}, footer = '' } = parts
  const indexed = post.status === 'PUBLISHED' && !post.locked
  return {
    title,
    description: summary(post.excerptHtml, post.descriptionHtml),
    image: post.image?.url,
    url: post.url,
    indexed,
    languages: await languageLinks(post, pageRequest),
    jsonLd: indexed ? post.jsonLd : undefined,
    ...(restPath && { restPath }),
    formats: indexed ? formats : [],
    breadcrumbs,
    neighbors,
    body: html`<article class="post wrap">
<header><h1!${langAttribute(post.languages.tag, pageRequest)}>!${heading}</h1>
!${header}</header>
!${post.locked ? '' : picture(post.image, pageRequest)}
!${aside && html`<aside>!${aside}</aside>`}
<div class="content">!${post.locked ? passwordForm(pageRequest) : content()}</div>
</article>
!${footer}`,
  }
}

/** A note if the post is not published. */
export const statusNote = ({ status }: Pick<Post, 'status'>, { messages }: PageRequest): string =>
  status === 'PUBLISHED' ? '' : html`<p class="note">${messages.unpublished}</p>`

/** The description, or else the excerpt. */
export const postText = (post: Post, pageRequest: PageRequest): string =>
  html`<div class="text"!${langAttribute(descriptionTag(post), pageRequest)}>!${
    post.descriptionHtml || post.excerptHtml || ''
  }</div>`
