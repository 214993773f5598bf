// The columns of venues, organizers, categories and tags, and those that events share with them.
import { isEmail } from '../../basics/contact-links.ts'
import { fromRecordStatus, toRecordStatus } from '../../basics/record-status.ts'
import type {
  SheetCategoryFragment,
  SheetOrganizerFragment,
  SheetTagFragment,
  SheetVenueFragment,
} from '../../generated/graphql/graphql.ts'
import { Status } from '../../generated/prisma/enums.ts'
import { CellError, parseChoice, parseInstant } from './cells.ts'
import {
  booleanColumn,
  type Column,
  numberCell,
  numberText,
  type RowContext,
  type SheetRecord,
  textColumn,
} from './columns.ts'

const statuses = Object.values(Status)

export const statusColumn = <Row extends SheetRecord & { readonly status: string }>(): Column<Row> => ({
  name: 'status',
  description: `${statuses.map((status) => `\`${status}\``).join(', ')}; empty for a new record: \`publish\`, or \`draft\` without the right to publish`,
  required: true,
  read: ({ status }) => fromRecordStatus(status),
  parse: parseChoice(statuses, ''),
  toInput: (text) => (text === '' ? {} : { status: toRecordStatus(text as Status) }),
})

export const imageColumn = <
  Row extends SheetRecord & { readonly image: { readonly id: number; readonly url: string } | null },
>(): Column<Row> => ({
  name: 'image',
  description: 'URL of the image; another URL is downloaded',
  read: ({ image }) => image?.url ?? '',
  parse: (cell) => cell.trim(),
  toInput: (text) => (text === '' ? { imageId: null } : { imageUrl: text }),
  isStored: async ({ imageUrl }, { image }, references) =>
    image !== null && typeof imageUrl === 'string' && (await references.imageOf(imageUrl)) === image.id,
})

export const publishedColumn = <Row extends SheetRecord & { readonly publishedAt: Date }>(): Column<Row> => ({
  name: 'published',
  description: 'when it is published, with an offset, such as `2027-01-31T18:00:00Z`',
  required: true,
  read: ({ publishedAt }) => publishedAt.toISOString(),
  parse: parseInstant,
  toInput: (text) => (text === '' ? {} : { publishedAt: new Date(text) }),
})

/** Sets both coordinates, because the input has them together. */
function coordinates(row: RowContext<SheetVenueFragment>) {
  const [latitude, longitude] = (['latitude', 'longitude'] as const).map((name) => {
    const cell = row.cell(name)
    return cell === undefined ? numberText(row.current?.coordinates?.[name]) : numberCell.parse(cell)
  })
  if ((latitude === '') !== (longitude === '')) throw new CellError('A venue needs both coordinates, or none.')
  return { coordinates: latitude ? { latitude: Number(latitude), longitude: Number(longitude) } : null }
}

const coordinateColumn = (name: 'latitude' | 'longitude', description: string): Column<SheetVenueFragment> => ({
  name,
  description,
  ...numberCell,
  read: (venue) => numberText(venue.coordinates?.[name]),
  toInput: (_, row) => coordinates(row),
})

export const venueColumns: readonly Column<SheetVenueFragment>[] = [
  statusColumn(),
  textColumn('address', 'street and house number', ({ address }) => address, 'address'),
  textColumn('zip', 'postal code', ({ zip }) => zip, 'zip'),
  textColumn('city', 'city', ({ city }) => city, 'city'),
  textColumn('province', 'province', ({ province }) => province, 'province'),
  textColumn('state', 'state', ({ state }) => state, 'state'),
  textColumn(
    'state_or_province',
    'state or province, as usual in the country',
    ({ stateProvince }) => stateProvince,
    'stateProvince',
  ),
  textColumn('country', 'country', ({ country }) => country, 'country'),
  coordinateColumn('latitude', 'degrees north, such as `48.8566` or `48,8566`'),
  coordinateColumn('longitude', 'degrees east'),
  textColumn('phone', 'telephone number', ({ phone }) => phone, 'phone'),
  textColumn('website', 'URL of the venue', ({ website }) => website, 'website'),
  imageColumn(),
  booleanColumn('show_map', 'whether to show a map', ({ showMap }) => showMap, 'showMap'),
  booleanColumn('show_map_link', 'whether to show a link to a map', ({ showMapLink }) => showMapLink, 'showMapLink'),
  publishedColumn(),
]

export const organizerColumns: readonly Column<SheetOrganizerFragment>[] = [
  statusColumn(),
  textColumn('phone', 'telephone number', ({ phone }) => phone, 'phone'),
  {
    ...textColumn<SheetOrganizerFragment>('email', 'e-mail address', ({ email }) => email, 'email'),
    leftOut: (text) => (text === '' || isEmail(text) ? undefined : `${text} is not a valid e-mail address.`),
  },
  textColumn('website', 'URL of the organizer', ({ website }) => website, 'website'),
  imageColumn(),
  publishedColumn(),
]

export const categoryColumns: readonly Column<SheetCategoryFragment>[] = [
  {
    name: 'parent',
    description: 'slug of the parent category, its name, or `#` and its ID; empty for a root category',
    read: ({ parent }) => parent?.slug ?? '',
    parse: (cell) => cell.trim(),
    toInput: async (text, { references, current }) => {
      if (text === '') return { parentId: null }
      const linked = current?.parent ? [{ id: current.parent.id, name: current.parent.slug }] : []
      return { parentId: await references.findParent(text, linked) }
    },
    isStored: ({ parentId }, { parent }) => parentId === (parent?.id ?? null),
  },
]

export const tagColumns: readonly Column<SheetTagFragment>[] = []
