// The columns of events, except for titles and other texts.
import { toExactWallClock } from '../../basics/time.ts'
import type { SheetEventFragment, SheetLinkedVenueFragment } from '../../generated/graphql/graphql.ts'
import { AttendanceMode, EventStatus } from '../../generated/prisma/enums.ts'
import { kinds } from '../../kinds.ts'
import {
  CellError,
  joinItems,
  parseChoice,
  parseId,
  parseJsonCell,
  parseLine,
  parseNumber,
  parseZone,
  splitItems,
} from './cells.ts'
import { booleanColumn, type Column, coordinatesInput, formatNumber, type RowContext, textColumn } from './columns.ts'
import { imageColumn, publishedColumn, statusColumn } from './post-columns.ts'
import { escapeListItem, isTermKind, type LinkedKind, unescapeListItem } from './reference-finder.ts'

type EventColumn = Column<SheetEventFragment>
type EventRow = RowContext<SheetEventFragment>

export const eventColumns: readonly EventColumn[] = [
  textColumn('uid', 'UID in iCalendar files; identifies the event in a file without IDs', 'uid', null),
  statusColumn,
  timeColumn('start', 'local date and time of the start, such as `2027-01-31T18:00:00`'),
  timeColumn('end', 'local date and time of the end; for an all-day event a date is enough'),
  {
    name: 'time_zone',
    description: 'time zone such as `Europe/Paris`; empty: the one of the site',
    read: ({ timeZone }) => timeZone,
    toInput: (cell) => ({ timeZone: parseZone(cell) }),
  },
  booleanColumn('all_day', 'whether it takes whole days', 'allDay'),
  linkColumn('venue', newVenue),
  venueColumn('venue_address', 'address', ({ address }) => address),
  venueColumn('venue_zip', 'postal code', ({ zip }) => zip),
  venueColumn('venue_city', 'city', ({ city }) => city),
  venueColumn('venue_state', 'state or province', ({ stateProvince }) => stateProvince),
  venueColumn('venue_country', 'country', ({ country }) => country),
  ...(['latitude', 'longitude'] as const).map((name) => ({
    ...venueColumn(`venue_${name}`, name, ({ coordinates }) => formatNumber(coordinates?.[name])),
    type: 'number' as const,
  })),
  linkColumn('organizer', (name) => ({ create: { name, orExisting: true } })),
  linkColumn('category', (nameOrSlug) => ({ nameOrSlug })),
  linkColumn('tag', (nameOrSlug) => ({ nameOrSlug })),
  {
    name: 'cost',
    description: 'prices or texts such as `Free`, separated by `|`',
    read: ({ costEntries }) => joinItems(costEntries),
    toInput: (cell) => ({ cost: splitItems(cell).flatMap((entry) => parseLine(entry) || []) }),
  },
  textColumn('website', 'URL of the event elsewhere', 'website'),
  imageColumn,
  booleanColumn('featured', 'whether it is featured', 'featured'),
  booleanColumn('sticky', 'whether it comes first on its day', 'sticky'),
  booleanColumn('hidden', 'whether lists leave it out', 'hideFromListings'),
  choiceColumn('event_status', 'eventStatus', Object.values(EventStatus)),
  choiceColumn('attendance', 'attendanceMode', Object.values(AttendanceMode)),
  textColumn('online_url', 'where people attend it online', 'onlineUrl', null),
  booleanColumn('show_map', 'whether to show a map', 'showMap'),
  booleanColumn('show_map_link', 'whether to show a link to a map', 'showMapLink'),
  {
    name: 'parent',
    description: 'ID of the parent event',
    read: ({ parent }) => formatNumber(parent?.id),
    toInput: (cell) => ({ parentId: cell.trim() === '' ? null : parseId(cell) }),
  },
  publishedColumn,
  {
    name: 'series',
    description: 'ID of the [series](#series) of which the event is a date; empty: an event of its own',
    type: 'number',
    read: ({ series }) => formatNumber(series?.id),
    toInput: (cell, { current }) => {
      if (!current) return {}
      if (cell.trim() !== '')
        throw new CellError('The series of an event cannot be changed. Leave the cell as it is, or empty it.')
      // A list that dates have in common makes the date an event of its own, also without items.
      return { translations: [] }
    },
    stored: () => ({}),
  },
  {
    name: 'rule',
    description: 'rules (RRULE) of the series, separated by `|`, or its extra dates in words; not imported',
    read: ({ series }) => joinItems(series?.recurrences.map(({ rule }) => rule) ?? []) || (series?.words ?? ''),
    ignored: () => 'Change when a series takes place with the mutation updateEventSeries.',
  },
  textColumn('date_label', 'what is special about a date of a series, such as `premiere`', 'dateLabel', null),
  textColumn('date_note', 'note about a date of a series', 'dateNote', null),
]

/** A column with a list of linked records. `create` returns the input for a record that does not exist yet. */
function linkColumn(kind: LinkedKind, create: (name: string, row: EventRow) => object): EventColumn {
  const name = kinds[kind].plural
  // The order of an event's categories and tags means nothing.
  const ordered = (links: readonly { readonly id?: number }[]) =>
    isTermKind(kind) ? links.toSorted((a, b) => (a.id ?? 0) - (b.id ?? 0)) : links
  return {
    name,
    description: `names ${isTermKind(kind) ? 'or slugs ' : ''}of the ${name}, separated by \`|\`, or \`#\` and an ID`,
    read: (event) => joinItems(event[name].map((linked) => escapeListItem(linked.name))),
    toInput: async (cell, row) => {
      const links: { readonly id?: number }[] = []
      for (const item of splitItems(cell)) {
        const id = await row.references.find(kind, item, row.current?.[name] ?? [])
        if (id === undefined) links.push(create(unescapeListItem(item), row))
        else if (!links.some((link) => link.id === id)) links.push({ id })
      }
      return { [name]: ordered(links) }
    },
    stored: (event) => ({ [name]: ordered(event[name].map(({ id }) => ({ id }))) }),
  }
}

/** Returns the input for a new venue, with the address from the other columns of the row. */
function newVenue(name: string, row: EventRow): object {
  const cell = (column: string) => row.cell(`venue_${column}`)?.trim() || undefined
  const [latitude = null, longitude = null] = ['latitude', 'longitude'].map((column) => parseNumber(cell(column) ?? ''))
  const address = {
    address: cell('address'),
    zip: cell('zip'),
    city: cell('city'),
    stateProvince: cell('state'),
    country: cell('country'),
    coordinates: coordinatesInput(latitude, longitude) ?? undefined,
  }
  return { create: { name, orExisting: true, ...address } }
}

/** A column with a field of the event's first venue. It is imported only if the row creates the venue. */
function venueColumn(
  name: string,
  label: string,
  read: (venue: SheetLinkedVenueFragment) => string | null,
): EventColumn {
  return {
    name,
    description: `${label} of the first venue; imported only when \`--create-missing\` creates the venue`,
    read: ({ venues: [venue] }) => (venue && read(venue)) ?? '',
    ignored: ({ venues }, { cell, current }) => {
      if (Array.isArray(venues) && venues[0] !== undefined && 'create' in venues[0]) return undefined
      const hasVenue = cell('venues') === undefined ? current?.venues.length : cell('venues')?.trim()
      return hasVenue
        ? 'The venue exists: change it in a file of venues (--kind venues).'
        : 'The event has no venue: write one in the column venues.'
    },
  }
}

function timeColumn(name: 'start' | 'end', description: string): EventColumn {
  const [local, exact] = [`${name}sLocal`, `${name}sAt`] as const
  const read = (event: SheetEventFragment) =>
    event.allDay ? event[local] : toExactWallClock(event[exact], event.timeZone)
  return {
    ...{ name, description, read, required: true },
    toInput: (cell, { current }) => {
      // Without an offset, a time that occurs twice stays the one that is stored.
      const time = current && cell === current[local] ? read(current) : cell.trim()
      const instant = instantOf(time)
      return instant ? { [exact]: instant } : { [local]: time }
    },
  }
}

/** The instant of a local time with an offset, which `start` and `end` have if the time occurs twice; undefined without one. */
export const instantOf = (time: string): Date | undefined => (/[+-]\d\d:\d\d$/.test(time) ? new Date(time) : undefined)

function choiceColumn(name: string, field: 'eventStatus' | 'attendanceMode', choices: readonly string[]): EventColumn {
  const [byDefault = ''] = choices
  return {
    name,
    description: `${choices.map((choice) => `\`${choice}\``).join(', ')}; empty: \`${byDefault}\``,
    read: (event) => event[field].toLowerCase(),
    toInput: (cell) => ({ [field]: parseChoice(cell, choices, byDefault).toUpperCase() }),
  }
}

/** Columns from which `start` and `end` are computed. */
export const scheduleColumnNames = new Set('start_date start_time end_date end_time duration'.split(' '))

const prefix = 'custom:'

export const customFieldKeyOf = (column: string): string | undefined =>
  column.startsWith(prefix) ? column.slice(prefix.length) : undefined

/** A column with a custom field: text, or JSON if the stored value is not text. */
export function customFieldColumn(key: string): EventColumn {
  const fieldOf = (event: SheetEventFragment | undefined) => event?.customFields.find((field) => field.key === key)
  return {
    name: `${prefix}${key}`,
    description: 'a custom field by its key',
    read: (event) => {
      const value = fieldOf(event)?.value ?? ''
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    toInput: (cell, { current }) => {
      const { value: stored = '', label = key } = fieldOf(current) ?? {}
      const isText = typeof stored === 'string' || cell.trim() === ''
      return { customFields: [{ key, label, value: isText ? cell.trim() : parseJsonCell(cell) }] }
    },
  }
}

type CustomFields = SheetEventFragment['customFields']

/** Merges the changed custom fields into the current ones. An empty value removes a field. */
export function mergeCustomFields(current: CustomFields, changed: CustomFields): CustomFields {
  const updated = current.map((field) => changed.find(({ key }) => key === field.key) ?? field)
  const added = changed.filter((field) => !current.some(({ key }) => key === field.key))
  return [...updated, ...added].filter((field) => field.value !== '' || !changed.includes(field))
}
