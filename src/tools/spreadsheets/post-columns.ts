// The columns of venues, organizers and categories, and the columns that events share with them.
import { isEmail } from '../../basics/contact-links.ts'
import { fromRecordStatus, toRecordStatus } from '../../basics/record-status.ts'
import type {
  SheetCategoryFragment,
  SheetOrganizerFragment,
  SheetVenueFragment,
} from '../../generated/graphql/graphql.ts'
import { Status } from '../../generated/prisma/enums.ts'
import { parseChoice, parseInstant, parseLine, parseNumber } from './cells.ts'
import { booleanColumn, type Column, coordinatesInput, formatNumber, type SheetRecord, textColumn } from './columns.ts'

const statuses = Object.values(Status)

export const statusColumn: Column<SheetRecord & { readonly status: string }> = {
  name: 'status',
  description: `${statuses.map((status) => `\`${status}\``).join(', ')}; empty for a new record: \`publish\`, or \`draft\` without the right to publish`,
  required: true,
  read: ({ status }) => fromRecordStatus(status),
  toInput: (cell) => ({ status: toRecordStatus(parseChoice(cell, statuses)) }),
}

export const imageColumn: Column<
  SheetRecord & { readonly image: { readonly id: number; readonly url: string } | null }
> = {
  name: 'image',
  description: 'URL of the image; another URL is downloaded',
  read: ({ image }) => image?.url ?? '',
  toInput: async (cell, { current, references }) => {
    const url = cell.trim()
    if (url === '') return { imageId: null }
    const image = current?.image
    const isStored = image && (image.url === url || (await references.imageOf(url)) === image.id)
    return isStored ? { imageId: image.id } : { imageUrl: url }
  },
  stored: ({ image }) => ({ imageId: image?.id ?? null }),
}

export const publishedColumn: Column<SheetRecord & { readonly publishedAt: Date }> = {
  name: 'published',
  description: 'when it is published, with an offset, such as `2027-01-31T18:00:00Z`',
  required: true,
  read: ({ publishedAt }) => publishedAt.toISOString(),
  toInput: (cell) => ({ publishedAt: parseInstant(cell) }),
}

const coordinateColumn = (name: 'latitude' | 'longitude', description: string): Column<SheetVenueFragment> => ({
  name,
  description,
  type: 'number',
  read: (venue) => formatNumber(venue.coordinates?.[name]),
  toInput: (_, { cell, current }) => {
    const [latitude = null, longitude = null] = (['latitude', 'longitude'] as const).map((column) => {
      const text = cell(column)
      return text === undefined ? current?.coordinates?.[column] : parseNumber(text)
    })
    return { coordinates: coordinatesInput(latitude, longitude) }
  },
  stored: ({ coordinates: stored }) => ({
    coordinates: stored && { latitude: stored.latitude, longitude: stored.longitude },
  }),
})

export const venueColumns: readonly Column<SheetVenueFragment>[] = [
  statusColumn,
  textColumn('address', 'street and house number', 'address'),
  textColumn('zip', 'postal code', 'zip'),
  textColumn('city', 'city', 'city'),
  textColumn('province', 'province', 'province'),
  textColumn('state', 'state', 'state'),
  textColumn('state_or_province', 'state or province, as usual in the country', 'stateProvince'),
  textColumn('country', 'country', 'country'),
  coordinateColumn('latitude', 'degrees north, such as `48.8566` or `48,8566`'),
  coordinateColumn('longitude', 'degrees east'),
  textColumn('phone', 'telephone number', 'phone'),
  textColumn('website', 'URL of the venue', 'website'),
  imageColumn,
  booleanColumn('show_map', 'whether to show a map', 'showMap'),
  booleanColumn('show_map_link', 'whether to show a link to a map', 'showMapLink'),
  publishedColumn,
]

export const organizerColumns: readonly Column<SheetOrganizerFragment>[] = [
  statusColumn,
  textColumn('phone', 'telephone number', 'phone'),
  {
    ...textColumn<SheetOrganizerFragment>('email', 'e-mail address', 'email'),
    leftOut: (cell) => {
      const text = parseLine(cell)
      return text === '' || isEmail(text) ? undefined : `${text} is not a valid e-mail address.`
    },
  },
  textColumn('website', 'URL of the organizer', 'website'),
  imageColumn,
  publishedColumn,
]

export const categoryColumns: readonly Column<SheetCategoryFragment>[] = [
  {
    name: 'parent',
    description: 'slug of the parent category, its name, or `#` and its ID; empty for a root category',
    read: ({ parent }) => parent?.slug ?? '',
    toInput: async (cell, { references, current }) => {
      const text = cell.trim()
      if (text === '') return { parentId: null }
      const linked = current?.parent ? [{ id: current.parent.id, name: current.parent.slug }] : []
      return { parentId: await references.findParent(text, linked) }
    },
    stored: ({ parent }) => ({ parentId: parent?.id ?? null }),
  },
]
