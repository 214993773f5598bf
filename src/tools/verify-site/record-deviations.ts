// Documented differences of records.
import type { Difference } from './compare.ts'
import type { Deviation } from './deviation.ts'
import { isObject, objects, text } from './json.ts'
import { sameHtmlText, sameText } from './text-equality.ts'

const keyOf = ({ field }: Difference) => field.slice(field.lastIndexOf('.') + 1)

const isTermField = ({ field }: Difference) => /(^|\.)(category|tag|categories|tags)\.[^.]+(\.[^.]+)?$/.test(field)

/** Keys of the contract, c.2 to c.6. */
const contractKeys: ReadonlySet<string> = new Set(
  `id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title description excerpt
  slug image all_day start_date start_date_details end_date end_date_details utc_start_date utc_start_date_details
  utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map show_map_link
  hide_from_listings sticky featured categories tags venue organizer custom_fields json_ld address city country province
  state zip phone stateprovince geo_lat geo_lng email name taxonomy parent count meta urls self collection up extension
  width height filesize sizes year month day hour minutes seconds currency_symbol currency_code currency_position
  values`.split(/\s+/),
)

/** Venues and organizers have these fields only with a value. */
const optionalFields =
  /^(?:event\.)?(?:venue|organizer)\.(?:description|excerpt|image|address|city|country|province|state|zip|phone|website|stateprovince|geo_lat|geo_lng|email)$/

const isEmpty = (value: unknown) =>
  value === '' || value === '0' || value === false || value === null || (Array.isArray(value) && value.length === 0)

const sameSlugButSuffix = (legacy: string, ours: string) =>
  ours.startsWith(legacy) && /^-\d+$/.test(ours.slice(legacy.length))

const lastSegment = (url: string) => url.replace(/\/$/, '').split('/').at(-1) ?? ''

/** Equal texts differ as addresses: one of them is that of the other site. */
const isText = ({ legacy, ours }: Difference): boolean =>
  typeof legacy === 'string' && typeof ours === 'string' && legacy !== ours

const zero = /^0000-00-00/

export const recordDeviations: readonly Deviation[] = [
  {
    rule: 'c.9',
    text: 'json_ld describes the record in other words; lists have none.',
    explains: ({ field, what }) =>
      /(^|\.)json_ld(\.|$)/.test(field) &&
      (what === 'added' || field.endsWith('json_ld') || !/json_ld\.(name|startDate|endDate)$/.test(field)),
  },
  {
    rule: 'c.6',
    text: 'Images have addresses and sizes of this service.',
    explains: ({ field, ours }) =>
      /image\.(url|sizes|extension)(\.|$)/.test(field) && (typeof ours !== 'string' || ours !== ''),
  },
  {
    rule: 'c.1',
    text: 'Text is plain, without needless entities and typographic replacements.',
    explains: (difference) => isText(difference) && sameText(text(difference.legacy), text(difference.ours)),
  },
  {
    rule: 'c.1',
    text: 'HTML is reduced to an allowed set of elements.',
    explains: (difference) =>
      isText(difference) &&
      /^(description|excerpt)$/.test(keyOf(difference)) &&
      sameHtmlText(text(difference.legacy), text(difference.ours)),
  },
  {
    rule: 'QUIRK-45',
    text: 'Records have real dates instead of zeros.',
    explains: (difference) => zero.test(text(difference.legacy)) && /^(date|modified)/.test(keyOf(difference)),
  },
  {
    rule: 'QUIRK-44',
    text: 'details is always an object.',
    explains: ({ field, legacy }) =>
      /_details$|^error\.data\.details/.test(field) &&
      (legacy === undefined || Array.isArray(legacy) || field.startsWith('error')),
  },
  {
    rule: 'QUIRK-7',
    text: 'UTC+N is a fixed offset.',
    explains: (difference) =>
      /^(utc_.*|timezone_abbr)$/.test(keyOf(difference)) && /^UTC[+-]/.test(text(difference.legacyRecord.timezone)),
  },
  {
    rule: 'b.7',
    text: 'timezone_abbr is the abbreviation in use, or the offset.',
    explains: (difference) => keyOf(difference) === 'timezone_abbr' && /^[+-]\d/.test(text(difference.ours)),
  },
  {
    rule: 'QUIRK-8',
    text: 'An event ends at its start or later.',
    explains: (difference) =>
      /^(utc_)?end_date$/.test(keyOf(difference)) &&
      text(difference.legacy) < text(difference.ours) &&
      text(difference.ours) === text(difference.ourRecord[keyOf(difference).replace('end', 'start')]),
  },
  {
    rule: 'QUIRK-20',
    text: 'Unpublished venues and organizers are embedded for those who may read them.',
    explains: ({ field, legacy, ours }) =>
      /^event\.(venue|organizer)$/.test(field) &&
      isEmpty(ours) &&
      objects([legacy].flat()).length > 0 &&
      objects([legacy].flat()).every(({ status }) => status !== undefined && status !== 'publish'),
  },
  {
    rule: 'QUIRK-21',
    text: 'stateprovince is derived from the whole venue.',
    explains: (difference) =>
      keyOf(difference) === 'stateprovince' &&
      [difference.ourRecord.state, difference.ourRecord.province].includes(difference.ours),
  },
  {
    rule: 'QUIRK-22',
    text: 'Terms have no _links.',
    explains: (difference) => difference.what === 'missing' && keyOf(difference) === '_links',
  },
  {
    rule: 'QUIRK-23',
    text: 'Costs with thousands separators, ranges with symbols, and 0 are read as numbers.',
    explains: ({ field, legacyRecord }) =>
      /^event\.cost(_details)?(\.|$)/.test(field) &&
      /\d[.,\s]\d{3}(?!\d)|\d\D*[–-]\s*[^\d\s]|^0$/.test(text(legacyRecord.cost)),
  },
  {
    rule: 'QUIRK-34',
    text: 'The name of a record with a password stays.',
    explains: (difference) => /(venue\.venue|organizer\.organizer)$/.test(difference.field) && difference.legacy === '',
  },
  {
    rule: 'c.5',
    text: 'Terms have one form.',
    explains: (difference) =>
      isTermField(difference) &&
      (difference.what === 'missing'
        ? !contractKeys.has(keyOf(difference))
        : difference.what === 'added' &&
          /^(meta|url|urls|up|taxonomy|description|parent|count)$/.test(keyOf(difference))),
  },
  {
    rule: 'c.5',
    text: 'count is computed from the events that the reader may see.',
    explains: ({ field, what }) => what === 'value' && /(^category|^tag|categories|tags)\.count$/.test(field),
  },
  {
    rule: 'c.5',
    text: 'The setting REST_CATEGORY_TAXONOMY names the taxonomy of categories.',
    explains: ({ field, what }) => what === 'value' && /(^category|categories)\.taxonomy$/.test(field),
  },
  {
    rule: 'c.8',
    text: 'currency_code is empty, there is no position without a symbol, and neither without a cost.',
    explains: ({ field, ours, ourRecord }) =>
      field === 'event.cost_details.currency_code' ||
      (/^event\.cost_details\.currency_(position|symbol)$/.test(field) &&
        ours === '' &&
        (ourRecord.cost === '' ||
          (field.endsWith('position') &&
            isObject(ourRecord.cost_details) &&
            ourRecord.cost_details.currency_symbol === ''))),
  },
  {
    rule: 'c.2',
    text: 'Only events that people attend online have is_virtual, virtual_url and virtual_video_source.',
    explains: (difference) =>
      difference.what === 'missing' &&
      /^event\.(is_virtual|virtual_\w+)$/.test(difference.field) &&
      !difference.legacyRecord.is_virtual,
  },
  {
    rule: 'c.2',
    text: 'Fields that add-ons and a site’s own code add are not part of the contract.',
    explains: (difference) =>
      difference.what === 'missing' &&
      /^(event|venue|organizer)\./.test(difference.field) &&
      !contractKeys.has(keyOf(difference)) &&
      !/\.(custom_fields|cost_details|json_ld)\./.test(difference.field) &&
      !(/^(is_virtual|virtual_url)$/.test(keyOf(difference)) && difference.legacyRecord.is_virtual),
  },
  {
    rule: 'c.2',
    text: 'All fields of the contract are present, with empty values too.',
    explains: (difference) =>
      difference.what === 'added' &&
      contractKeys.has(keyOf(difference)) &&
      (isEmpty(difference.ours) || !optionalFields.test(difference.field)),
  },
  {
    rule: 'c.2',
    text: 'website equals url if it was never set.',
    explains: ({ field, legacy, ours, ourRecord }) =>
      field === 'event.website' && (legacy === '' || legacy === undefined) && ours === ourRecord.url,
  },
  {
    rule: 'b.3',
    text: 'A website is an absolute URL.',
    explains: (difference) =>
      keyOf(difference) === 'website' &&
      isText(difference) &&
      text(difference.ours).replace(/^https?:\/\//, '') === difference.legacy,
  },
  {
    rule: 'c.2',
    text: 'The addresses of pages have the words event, venue, organizer, category and tag.',
    explains: (difference, _exchange, { ours }) =>
      isText(difference) &&
      keyOf(difference) === 'url' &&
      text(difference.ours).startsWith(`${ours.site}/`) &&
      text(difference.legacy)
        .split('/')
        .includes(lastSegment(text(difference.ours))),
  },
  {
    rule: 'f.3',
    text: 'Slugs are unique within a kind.',
    explains: (difference) =>
      isText(difference) &&
      /^(slug|url)$/.test(keyOf(difference)) &&
      sameSlugButSuffix(lastSegment(text(difference.legacy)), lastSegment(text(difference.ours))),
  },
]
