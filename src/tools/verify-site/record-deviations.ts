// Documented differences between both sites in the fields of records.
import { decodeHTML } from 'entities'
import { stripTags } from '../../basics/strip-tags.ts'
import type { Difference } from './compare.ts'
import { withoutDay } from './compared-site.ts'
import { type Deviation, deviation } from './deviation.ts'
import { toObject, toObjects, toText } from './json.ts'

/** All fields of the contract, sections c.2 to c.6. */
const contractKeys: ReadonlySet<string> = new Set(
  `id global_id global_id_lineage author status date date_utc modified modified_utc url rest_url title description excerpt
  slug image all_day start_date start_date_details end_date end_date_details utc_start_date utc_start_date_details
  utc_end_date utc_end_date_details timezone timezone_abbr cost cost_details website show_map show_map_link
  hide_from_listings sticky featured categories tags venue organizer custom_fields json_ld address city country province
  state zip phone stateprovince geo_lat geo_lng email name taxonomy parent count meta urls self collection up extension
  width height filesize sizes year month day hour minutes seconds currency_symbol currency_code currency_position
  values`.split(/\s+/),
)

/** Fields of venues and organizers that are missing if they are empty. */
const optionalFields =
  /^(?:event\.)?(?:venue|organizer)\.(?:description|excerpt|image|address|city|country|province|state|zip|phone|website|stateprovince|geo_lat|geo_lng|email)$/

const termFields = /(^|\.)(category|tag|categories|tags)\.[^.]+(\.[^.]+)?$/

const isEmpty = (value: unknown) =>
  value === '' || value === '0' || value === false || value === null || (Array.isArray(value) && value.length === 0)

const lastSegment = (url: unknown) => toText(url).replace(/\/$/, '').split('/').at(-1) ?? ''

/** Whether both values are different texts. An equal URL also counts as a difference if it is on the other site. */
const isText = ({ legacy, ours }: Difference): boolean =>
  typeof legacy === 'string' && typeof ours === 'string' && legacy !== ours

const currencyRule = 'currency_code is empty. Without a cost, symbol and position are empty, too.'

export const recordDeviations: readonly Deviation[] = [
  deviation('c.9', 'json_ld has other contents, and is missing in lists.', {
    field: /(^|\.)json_ld(\.|$)/,
    when: ({ field, what }) => what === 'added' || !/json_ld\.(name|startDate|endDate)$/.test(field),
  }),
  deviation('c.6', 'Images have the URLs and sizes of this service.', {
    field: /image\.(url|sizes|extension)(\.|$)/,
    when: ({ ours }) => ours !== '',
  }),
  deviation('c.1', 'Text has no needless HTML entities and no typographic replacements.', {
    when: (difference) => isText(difference) && sameText(toText(difference.legacy), toText(difference.ours)),
  }),
  deviation('c.1', 'HTML contains only allowed elements.', {
    key: /^(description|excerpt)$/,
    when: (difference) => isText(difference) && sameHtmlText(toText(difference.legacy), toText(difference.ours)),
  }),
  deviation('QUIRK-45', 'Dates are real dates instead of 0000-00-00.', {
    key: /^(date|modified)/,
    when: ({ legacy }) => toText(legacy).startsWith('0000-00-00'),
  }),
  deviation('QUIRK-44', 'details is always an object.', {
    field: /_details$|^error\.data\.details/,
    when: ({ field, legacy }) => legacy === undefined || Array.isArray(legacy) || field.startsWith('error'),
  }),
  deviation('QUIRK-7', 'The time zone UTC+N is a fixed offset.', {
    key: /^(utc_.*|timezone_abbr)$/,
    when: ({ legacyRecord }) => /^UTC[+-]/.test(toText(legacyRecord.timezone)),
  }),
  deviation('b.7', 'timezone_abbr is the abbreviation at the time of the event, or the offset if there is none.', {
    key: /^timezone_abbr$/,
    when: ({ ours }) => /^[+-]\d/.test(toText(ours)),
  }),
  deviation('QUIRK-8', 'An end before the start is replaced by the start.', {
    key: /^(utc_)?end_date$/,
    when: ({ key, legacy, ours, ourRecord }) =>
      toText(legacy) < toText(ours) && ours === ourRecord[key.replace('end', 'start')],
  }),
  deviation('QUIRK-20', 'Unpublished venues and organizers are nested in events only for users who may read them.', {
    field: /^event\.(venue|organizer)$/,
    when: ({ legacy, ours }) => {
      const records = toObjects([legacy].flat())
      return isEmpty(ours) && records.length > 0 && records.every(({ status = 'publish' }) => status !== 'publish')
    },
  }),
  deviation('QUIRK-21', 'stateprovince is computed from the fields country, state and province of the venue.', {
    key: /^stateprovince$/,
    when: ({ ours, ourRecord: { state, province } }) => [state, province].includes(ours),
  }),
  deviation('QUIRK-22', 'Categories and tags have no _links.', { key: /^_links$/, what: 'missing' }),
  deviation('QUIRK-23', 'A cost with thousands separators, a range with symbols, or 0 is parsed as numbers.', {
    field: /^event\.cost(_details)?(\.|$)/,
    when: ({ legacyRecord: { cost } }) => /\d[.,\s]\d{3}(?!\d)|\d\D*[–-]\s*[^\d\s]|^0$/.test(toText(cost)),
  }),
  deviation('QUIRK-34', 'A venue or organizer with a password keeps its name.', {
    field: /(venue\.venue|organizer\.organizer)$/,
    when: ({ legacy }) => legacy === '',
  }),
  deviation('c.5', 'Terms have one form.', {
    field: termFields,
    what: 'missing',
    when: ({ key }) => !contractKeys.has(key),
  }),
  deviation('c.5', 'Terms have one form.', {
    field: termFields,
    key: /^(meta|url|urls|up|taxonomy|description|parent|count)$/,
    what: 'added',
  }),
  deviation('c.5', 'count is the number of events that the user may read.', {
    field: /(^category|^tag|categories|tags)\.count$/,
    what: 'value',
  }),
  deviation('c.5', 'The taxonomy of categories is the setting REST_CATEGORY_TAXONOMY.', {
    field: /(^category|categories)\.taxonomy$/,
    what: 'value',
  }),
  deviation('c.8', currencyRule, { field: /^event\.cost_details\.currency_code$/ }),
  deviation('c.8', currencyRule, {
    field: /^event\.cost_details\.currency_(position|symbol)$/,
    when: ({ field, ours, ourRecord: { cost, cost_details: details } }) => {
      const hasNoSymbol = toObject(details).currency_symbol === ''
      return ours === '' && (cost === '' || (field.endsWith('position') && hasNoSymbol))
    },
  }),
  deviation('c.2', 'Only events that people attend online have is_virtual, virtual_url and virtual_video_source.', {
    field: /^event\.(is_virtual|virtual_\w+)$/,
    what: 'missing',
    when: ({ legacyRecord }) => !legacyRecord.is_virtual,
  }),
  deviation('c.2', 'Fields that add-ons and a site’s own code add are not part of the contract.', {
    field: /^(event|venue|organizer)\.(?!(.*\.)?(custom_fields|cost_details|json_ld)\.)/,
    what: 'missing',
    when: ({ key, legacyRecord }) =>
      !contractKeys.has(key) && !(/^(is_virtual|virtual_url)$/.test(key) && legacyRecord.is_virtual),
  }),
  deviation('c.2', 'All fields of the contract are present, even if they are empty.', {
    what: 'added',
    when: ({ key, field, ours }) => contractKeys.has(key) && (isEmpty(ours) || !optionalFields.test(field)),
  }),
  deviation('c.2', 'website is equal to url if the event has no website.', {
    field: /^event\.website$/,
    when: ({ legacy, ours, legacyRecord, ourRecord }) =>
      ['', undefined, legacyRecord.url].includes(legacy as string) && ours === ourRecord.url,
  }),
  deviation('b.3', 'website is an absolute URL.', {
    key: /^website$/,
    when: (difference) =>
      isText(difference) && toText(difference.ours).replace(/^https?:\/\//, '') === difference.legacy,
  }),
  deviation('c.2', 'URLs of pages contain the words event, venue, organizer, category or tag.', {
    key: /^url$/,
    when: (difference, _exchange, { ours: { site } }) =>
      isText(difference) &&
      toText(difference.ours).startsWith(`${site}/`) &&
      toText(difference.legacy).split('/').includes(lastSegment(difference.ours)),
  }),
  deviation('c.2', 'Dates of a series have the field series.', { field: /^event\.series$/, what: 'added' }),
  deviation('f.3', 'Slugs are unique within a kind of record.', {
    key: /^(slug|url)$/,
    when: (difference) => {
      const [legacy, ours] = [lastSegment(withoutDay(toText(difference.legacy))), lastSegment(difference.ours)]
      return isText(difference) && ours.startsWith(legacy) && /^-\d+$/.test(ours.slice(legacy.length))
    },
  }),
]

const typography: readonly (readonly [RegExp, string])[] = [
  [/[‘’‚‛′ʼ´`]/g, "'"],
  [/[“”„‟″«»]/g, '"'],
  [/[-‐‑‒–—−]+/g, '-'],
  [/…/g, '...'],
  [/×/g, 'x'],
  [/\s+/g, ' '],
]

const plain = (text: string) =>
  typography.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), decodeTwice(text)).trim()

/** Decodes HTML entities twice, because some sites encode names twice. */
const decodeTwice = (text: string) => decodeHTML(decodeHTML(text))

/** Whether the texts differ only in HTML entities and typographic characters, such as quotes. */
const sameText = (one: string, other: string): boolean => plain(one) === plain(other)

const withoutBlanks = (html: string) => plain(stripTags(html)).replaceAll(' ', '')

const sameHtmlText = (one: string, other: string): boolean => withoutBlanks(one) === withoutBlanks(other)
