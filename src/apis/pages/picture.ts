// Pictures of records, in several sizes and media types.

import { html } from 'ghtml'
import { fillPlaceholders } from '../../basics/fill-placeholders.ts'
import type { PageImageFragment } from '../../generated/graphql/graphql.ts'
import type { PageContext } from './page.ts'

/** Whether this service stores the image: requests to another server would reveal who reads the page. */
const isStoredHere = ({ url }: PageImageFragment, { settings }: PageContext): boolean =>
  url.startsWith(`${settings.publicUrl}/`)

export const cardPictureHtml = (image: PageImageFragment | null, pageContext: PageContext): string =>
  image && isStoredHere(image, pageContext)
    ? responsive(image, cardSizes, html` alt="${image.altText}" loading="lazy"`)
    : ''

/** The picture at the top of a page, with caption and credit. It is a link to the file. */
export function pagePictureHtml(image: PageImageFragment | null, pageContext: PageContext): string {
  if (!image || !isStoredHere(image, pageContext)) return ''
  const { messages } = pageContext
  const { url, caption, credit, width, height } = image
  const isTall = width && height && height > width
  const kind = isTall ? 'picture tall' : 'picture'
  const attributes = html` alt="${image.altText}" fetchpriority="high"`
  const texts = [
    caption && html`<span>${caption}</span>`,
    credit && html`<small>${fillPlaceholders(messages.photoCredit, { credit })}</small>`,
  ].filter((text) => text !== '')
  return html`<figure class="${kind}"><a href="${url}">!${responsive(image, isTall ? tallSizes : pageSizes, attributes, isTall ? tallHeight : undefined)} <span>${messages.fullSize}</span></a>!${
    texts.length === 0 ? '' : html`<figcaption>!${texts.join(' ')}</figcaption>`
  }</figure>`
}

/** The widths at which the style sheet shows pictures. */
const cardSizes = '(min-width: 80rem) 24rem, (min-width: 40rem) 45vw, 95vw'
const pageSizes = '(min-width: 80rem) 50rem, 95vw'
const tallSizes = '34rem'
/** Pixels (34rem). Pictures are not shown higher, so that the text below is visible without scrolling far. */
const tallHeight = 544

interface Version {
  readonly url: string
  readonly width: number
  readonly height: number
}

function responsive(image: PageImageFragment, sizes: string, attributes: string, maxHeight = Infinity): string {
  const { url, width, height } = image
  const sources = (versions: readonly Version[]) => {
    const uncropped = uncroppedVersions(versions, image)
    return uncropped.length > 1 ? html` srcset="${srcset(uncropped)}" sizes="${sizes}"` : ''
  }
  const own = width && height && !isAnimation(image) ? [...image.sizes, { url, width, height }] : []
  const scale = Math.min(1, maxHeight / (height ?? 1))
  const [shownWidth, shownHeight] = [width, height].map((length) => Math.round((length ?? 0) * scale))
  const size = width && height ? html` width="${shownWidth}" height="${shownHeight}"` : ''
  const element = html`<img src="${url}"!${sources(own)}!${size}!${attributes}>`
  const alternates = Map.groupBy(uncroppedVersions(image.alternates, image), ({ mimeType }) => mimeType)
  if (alternates.size === 0 || isAnimation(image)) return element
  return html`<picture>!${[...alternates].map(
    ([type, versions]) => html`<source type="${type}" srcset="${srcset(versions)}" sizes="${sizes}">`,
  )}!${element}</picture>`
}

/** Whether the image is animated: its generated versions show only the first frame, so pages show the original. */
function isAnimation({ mimeType, sizes, alternates }: PageImageFragment): boolean {
  if (/gif|png/.test(mimeType)) return sizes.length > 0 && !alternates.some(({ name }) => name === 'full')
  return mimeType === 'image/webp' && sizes.some((size) => size.mimeType !== mimeType)
}

const srcset = (versions: readonly Version[]): string =>
  versions.map(({ url, width }) => `${inSrcset(url)} ${width}w`).join(', ')

/** Encodes blanks and a final comma, which end a URL in the attribute `srcset`. */
const inSrcset = (url: string): string => url.replace(/\s/g, '%20').replace(/,$/, '%2C')

/** Returns the uncropped versions of an image, sorted by width, by which browsers choose a version. */
function uncroppedVersions<Each extends Version>(
  versions: readonly Each[],
  { width, height }: PageImageFragment,
): Each[] {
  if (!width || !height) return []
  const isUncropped = (version: Each) => Math.abs(version.height - (version.width * height) / width) <= 1.5
  return versions.filter(isUncropped).sort((a, b) => a.width - b.width)
}
