// Pictures of records, in several sizes.
import { html } from 'ghtml'
import type { PageImageFragment } from '../generated/graphql/graphql.ts'

/** The picture of a card in a list. */
export const cardPicture = (image: PageImageFragment | null): string =>
  image ? html`<img!${attributes(image, cardSizes)} alt="${image.altText}" loading="lazy">` : ''

/** The picture at the top of a page. */
export const picture = (image: PageImageFragment | null): string =>
  image
    ? html`<figure class="picture"><img!${attributes(image, pageSizes)} alt="${image.altText}" fetchpriority="high"></figure>`
    : ''

/** The widths at which the style sheet shows pictures. */
const cardSizes = '(min-width: 80rem) 24rem, (min-width: 40rem) 45vw, 95vw'
const pageSizes = '(min-width: 80rem) 50rem, 95vw'

function attributes(image: PageImageFragment, sizes: string): string {
  const { url, width, height } = image
  const versions = versionsOf(image)
  const srcset = versions.map((version) => `${inSrcset(version.url)} ${version.width}w`).join(', ')
  return [
    html` src="${url}"`,
    versions.length > 1 ? html` srcset="${srcset}" sizes="${sizes}"` : '',
    width && height ? html` width="${width}" height="${height}"` : '',
  ].join('')
}

/** Blanks and a comma at the end would end the URL. */
const inSrcset = (url: string): string => url.replace(/\s/g, '%20').replace(/,$/, '%2C')

/** The image and its scaled versions, without cropped ones: browsers choose among them by width only. */
function versionsOf({ url, width, height, sizes }: PageImageFragment) {
  if (!width || !height) return []
  const isWhole = (version: { width: number; height: number }) =>
    Math.abs(version.height - (version.width * height) / width) <= 1.5
  const scaled = sizes.flatMap((size) =>
    size.width && size.height && size.width < width ? [{ url: size.url, width: size.width, height: size.height }] : [],
  )
  return [...scaled.filter(isWhole).sort((a, b) => a.width - b.width), { url, width, height }]
}
