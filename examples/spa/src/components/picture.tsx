import type { EventCardFragment, ImagePartsFragment } from '../gql/graphql.ts'
import { isOwnUrl } from '../own-url.ts'
import { Artwork } from './artwork.tsx'

type File = Pick<ImagePartsFragment, 'url' | 'width' | 'height'>

/** The files that show all of the picture. Thumbnails and some sizes of imported pictures are cropped. */
function srcset(files: readonly File[], { width: fullWidth, height: fullHeight }: ImagePartsFragment): string {
  if (!fullWidth || !fullHeight) return ''
  const isUncropped = ({ width, height }: File) =>
    width !== null && height !== null && Math.abs(height - (width * fullHeight) / fullWidth) <= 1.5
  return files
    .filter(isUncropped)
    .map(({ url, width }) => `${url} ${width}w`)
    .join(', ')
}

type Pictured = Pick<EventCardFragment, 'databaseId' | 'image' | 'categories'>

interface Props {
  readonly event: Pictured
  /** Width of the picture on the page, as in the attribute `sizes`. */
  readonly sizes: string
  /** The picture is at the top of the page. */
  readonly isFirst?: boolean
}

/** Pictures of other hosts are not loaded: they would learn who visits this site. */
export const ownImage = ({ image }: Pick<Pictured, 'image'>): ImagePartsFragment | undefined =>
  image && isOwnUrl(image.url) ? image : undefined

/** The oldest category: the order of the list depends on the language. */
export const categoryOf = ({ categories }: Pick<Pictured, 'categories'>): Pictured['categories'][number] | undefined =>
  categories.reduce<Pictured['categories'][number] | undefined>(
    (oldest, category) => (oldest && oldest.databaseId < category.databaseId ? oldest : category),
    undefined,
  )

export const hueOf = (event: Pick<Pictured, 'categories' | 'databaseId'>): number =>
  categoryOf(event)?.databaseId ?? event.databaseId

/** The picture of an event, or artwork in the colors of its category. The frame has a fixed ratio: nothing moves. */
export function Picture({ event, sizes, isFirst = false }: Props) {
  const image = ownImage(event)
  if (!image) return <Artwork seed={event.databaseId} hue={hueOf(event)} columns={isFirst ? 8 : 4} />
  const [alternate] = image.alternates
  const alternates = srcset(image.alternates, image)
  return (
    <picture>
      {alternate && alternates && <source type={alternate.mimeType} srcSet={alternates} sizes={sizes} />}
      <img
        src={image.url}
        srcSet={srcset([...image.sizes, image], image) || undefined}
        sizes={sizes}
        alt={image.altText}
        width={image.width ?? undefined}
        height={image.height ?? undefined}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
      />
    </picture>
  )
}
