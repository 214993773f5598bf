// The columns of events, besides their texts and custom fields.
import type { SheetEventFragment, SheetLinkedVenueFragment } from '../../generated/graphql/graphql.ts'
import { AttendanceMode, EventStatus } from '../../generated/prisma/enums.ts'
import { CellError, joinList, parseChoice, parseId, parseLine, parseZone, short, splitList } from './cells.ts'
import { booleanColumn, type Column, numberCell, numberText, type RowContext, textColumn } from './columns.ts'
import { imageColumn, publishedColumn, statusColumn } from './post-columns.ts'
import { itemOf, type LinkedKind, nameOf } from './references.ts'

type EventColumn = Column<SheetEventFragment>
type EventRow = RowContext<SheetEventFragment>

export const eventColumns: readonly EventColumn[] = [
  textColumn(
    'uid',
    'UID in iCalendar files; identifies the event in a file without IDs',
    ({ uid }) => uid,
    'uid',
    null,
  ),
  statusColumn(),
  {
    name: 'start',
    description: 'local date and time of the start, such as `2027-01-31T18:00:00`',
    required: true,
    read: ({ startsLocal }) => startsLocal,
    toInput: (text) => (text === '' ? {} : { startsLocal: text }),
  },
  {
    name: 'end',
    description: 'local date and time of the end; for an all-day event a date is enough',
    required: true,
    read: ({ endsLocal }) => endsLocal,
    toInput: (text) => (text === '' ? {} : { endsLocal: text }),
  },
  {
    name: 'time_zone',
    description: 'time zone such as `Europe/Paris`; empty: the one of the site',
    read: ({ timeZone }) => timeZone,
    parse: parseZone,
    toInput: (text) => ({ timeZone: text }),
  },
  booleanColumn('all_day', 'whether it takes whole days', ({ allDay }) => allDay, 'allDay'),
  {
    name: 'venues',
    description: 'names of the venues, separated by `|`, or `#` and an ID',
    read: ({ venues }) => joinNames(venues),
    toInput: async (text, row) => ({ venues: await links('venue', text, row.current?.venues, row, newVenue(row)) }),
    isStored: (input, { venues }) => isSameList(input.venues, venues),
  },
  venueColumn('venue_address', 'address', ({ address }) => address ?? ''),
  venueColumn('venue_zip', 'postal code', ({ zip }) => zip ?? ''),
  venueColumn('venue_city', 'city', ({ city }) => city ?? ''),
  venueColumn('venue_state', 'state or province', ({ stateProvince }) => stateProvince ?? ''),
  venueColumn('venue_country', 'country', ({ country }) => country ?? ''),
  {
    ...venueColumn('venue_latitude', 'latitude', ({ coordinates }) => numberText(coordinates?.latitude)),
    ...numberCell,
  },
  {
    ...venueColumn('venue_longitude', 'longitude', ({ coordinates }) => numberText(coordinates?.longitude)),
    ...numberCell,
  },
  {
    name: 'organizers',
    description: 'names of the organizers, separated by `|`, or `#` and an ID',
    read: ({ organizers }) => joinNames(organizers),
    toInput: async (text, row) => ({
      organizers: await links('organizer', text, row.current?.organizers, row, (name) => ({
        create: { name, orExisting: true },
      })),
    }),
    isStored: (input, { organizers }) => isSameList(input.organizers, organizers),
  },
  termColumn('categories', 'category', ({ categories }) => categories),
  termColumn('tags', 'tag', ({ tags }) => tags),
  {
    name: 'cost',
    description: 'prices or texts such as `Free`, separated by `|`',
    read: ({ costEntries }) => joinList(costEntries),
    parse: (cell) => joinList(splitList(cell).flatMap((entry) => parseLine(entry) || [])),
    toInput: (text) => ({ cost: splitList(text) }),
  },
  textColumn('website', 'URL of the event elsewhere', ({ website }) => website, 'website'),
  imageColumn(),
  booleanColumn('featured', 'whether it is featured', ({ featured }) => featured, 'featured'),
  booleanColumn('sticky', 'whether it comes first on its day', ({ sticky }) => sticky, 'sticky'),
  booleanColumn('hidden', 'whether lists leave it out', (event) => event.hideFromListings, 'hideFromListings'),
  choiceColumn('event_status', 'eventStatus', Object.values(EventStatus), ({ eventStatus }) => eventStatus),
  choiceColumn('attendance', 'attendanceMode', Object.values(AttendanceMode), (event) => event.attendanceMode),
  textColumn('online_url', 'where people attend it online', ({ onlineUrl }) => onlineUrl, 'onlineUrl', null),
  booleanColumn('show_map', 'whether to show a map', ({ showMap }) => showMap, 'showMap'),
  booleanColumn('show_map_link', 'whether to show a link to a map', ({ showMapLink }) => showMapLink, 'showMapLink'),
  {
    name: 'parent',
    description: 'ID of the parent event',
    read: ({ parent }) => numberText(parent?.id),
    parse: (cell) => (cell.trim() === '' ? '' : String(parseId(cell))),
    toInput: (text) => ({ parentId: text === '' ? null : Number(text) }),
  },
  publishedColumn(),
]

const joinNames = (records: readonly { readonly name: string }[]) => joinList(records.map(({ name }) => itemOf(name)))

async function links(
  kind: LinkedKind,
  text: string,
  current: readonly { readonly id: number; readonly name: string }[] = [],
  { references }: EventRow,
  create: (name: string) => object,
): Promise<object[]> {
  const found: object[] = []
  for (const item of splitList(text)) {
    const id = await references.find(kind, item, current)
    found.push(id === undefined ? create(nameOf(item)) : { id })
  }
  return found
}

type Compare = (a: number, b: number) => number

function isSameList(input: unknown, stored: readonly { readonly id: number }[], order: Compare = () => 0): boolean {
  const linked = input as readonly { readonly id?: number }[]
  const ids = [...new Set(linked.map(({ id }) => id ?? 0))].sort(order)
  const storedIds = stored.map(({ id }) => id).sort(order)
  return ids.length === storedIds.length && ids.every((id, index) => id === storedIds[index])
}

/** A venue that does not exist yet, with the address in the other columns of the row. */
const newVenue = (row: EventRow) => (name: string) => {
  const cell = (column: string) => row.cell(column)?.trim() || undefined
  const [latitude, longitude] = ['venue_latitude', 'venue_longitude'].map((column) =>
    numberCell.parse(row.cell(column) ?? ''),
  )
  if ((latitude === '') !== (longitude === '')) throw new CellError('A venue needs both coordinates, or none.')
  const address = {
    address: cell('venue_address'),
    zip: cell('venue_zip'),
    city: cell('venue_city'),
    stateProvince: cell('venue_state'),
    country: cell('venue_country'),
    coordinates: latitude ? { latitude: Number(latitude), longitude: Number(longitude) } : undefined,
  }
  return { create: { name, orExisting: true, ...address } }
}

/** A field of the first venue. It is imported only for a new venue: others are changed in a file of venues. */
function venueColumn(name: string, label: string, read: (venue: SheetLinkedVenueFragment) => string): EventColumn {
  return {
    name,
    description: `${label} of the first venue; imported only when \`--create-missing\` creates the venue`,
    read: ({ venues: [venue] }) => (venue ? read(venue) : ''),
    parse: (cell) => cell.trim(),
    ignored: ({ venues }, { cell, current }) => {
      if (isNewVenue(venues)) return undefined
      const hasVenue = cell('venues') === undefined ? current?.venues.length : cell('venues')?.trim()
      return hasVenue
        ? 'The venue exists: change it in a file of venues (--kind venues).'
        : 'The event has no venue: write one in the column venues.'
    },
  }
}

const isNewVenue = (venues: unknown) => Array.isArray(venues) && venues[0] !== undefined && 'create' in venues[0]

function termColumn(
  name: 'categories' | 'tags',
  kind: 'category' | 'tag',
  read: (event: SheetEventFragment) => readonly { readonly id: number; readonly name: string }[],
): EventColumn {
  return {
    name,
    description: `names or slugs of the ${name}, separated by \`|\`, or \`#\` and an ID`,
    read: (event) => joinNames(read(event)),
    toInput: async (text, row) => {
      const current = row.current && read(row.current)
      return { [name]: await links(kind, text, current, row, (nameOrSlug) => ({ nameOrSlug })) }
    },
    // Terms of an event have no order.
    isStored: (input, event) => isSameList(input[name], read(event), (a, b) => a - b),
  }
}

function choiceColumn(
  name: string,
  field: string,
  choices: readonly string[],
  read: (event: SheetEventFragment) => string,
): EventColumn {
  const [byDefault = ''] = choices
  return {
    name,
    description: `${choices.map((choice) => `\`${choice}\``).join(', ')}; empty: \`${byDefault}\``,
    read: (event) => read(event).toLowerCase(),
    parse: parseChoice(choices, byDefault),
    toInput: (text) => ({ [field]: text.toUpperCase() }),
  }
}

const prefix = 'custom:'

export const customKeyOf = (column: string): string | undefined =>
  column.startsWith(prefix) ? column.slice(prefix.length) : undefined

/** A custom field. Its value is text, or JSON if the stored value is not a text. */
export function customColumn(key: string): EventColumn {
  const fieldOf = (event: SheetEventFragment | undefined) => event?.customFields.find((field) => field.key === key)
  return {
    name: `${prefix}${key}`,
    description: 'a custom field by its key',
    read: (event) => {
      const value = fieldOf(event)?.value ?? ''
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    toInput: (text, { current }) => {
      const stored = fieldOf(current)?.value ?? ''
      const value = typeof stored === 'string' ? text : parseJson(text)
      return { customFields: [{ key, label: fieldOf(current)?.label ?? key, value }] }
    },
  }
}

function parseJson(text: string): unknown {
  if (text === '') return ''
  try {
    return JSON.parse(text)
  } catch {
    throw new CellError(`"${short(text)}" is not JSON, like the value that the field has now.`)
  }
}

/** All custom fields of the event with the changed ones; an empty value removes a field. */
export function mergeCustomFields(
  current: SheetEventFragment['customFields'],
  changed: SheetEventFragment['customFields'],
): SheetEventFragment['customFields'] {
  const kept = current.filter(({ key }) => !changed.some((field) => field.key === key && field.value === ''))
  const updated = kept.map((field) => changed.find(({ key }) => key === field.key) ?? field)
  const added = changed.filter(({ key, value }) => value !== '' && !current.some((field) => field.key === key))
  return [...updated, ...added]
}
