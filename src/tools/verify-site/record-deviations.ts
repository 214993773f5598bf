// Documented differences of records.
import { decodeHTML } from 'entities'
import { stripTags } from '../../basics/strip-tags.ts'
import type { Difference } from './compare.ts'
import { type Deviation, deviation } from './deviation.ts'
import { toObject, toObjects, toText } from './json.ts'

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

const termFields = /(^|\.)(category|tag|categories|tags)\.[^.]+(\.[^.]+)?$/

const isEmpty = (value: unknown) =>
  value === '' || value === '0' || value === false || value === null || (Array.isArray(value) && value.length === 0)

const lastSegment = (url: unknown) => toText(url).replace(/\/$/, '').split('/').at(-1) ?? ''

/** Equal texts differ as addresses: one of them is that of the other site. */
const isText = ({ legacy, ours }: Difference): boolean =>
  typeof legacy === 'string' && typeof ours === 'string' && legacy !== ours

const currencyRule = 'currency_code is empty, there is no position without a symbol, and neither without a cost.'

export const recordDeviations: readonly Deviation[] = [
  deviation('c.9', 'json_ld describes the record in other words; lists have none.', {
    field: /(^|\.)json_ld(\.|$)/,
    when: ({ field, what }) => what === 'added' || !/json_ld\.(name|startDate|endDate)$/.test(field),
  }),
  deviation('c.6', 'Images have addresses and sizes of this service.', {
    field: /image\.(url|sizes|extension)(\.|$)/,
    when: ({ ours }) => ours !== '',
  }),
  deviation('c.1', 'Text is plain, without needless entities and typographic replacements.', {
    when: (difference) => isText(difference) && sameText(toText(difference.legacy), toText(difference.ours)),
  }),
  deviation('c.1', 'HTML is reduced to an allowed set of elements.', {
    key: /^(description|excerpt)$/,
    when: (difference) => isText(difference) && sameHtmlText(toText(difference.legacy), toText(difference.ours)),
  }),
  deviation('QUIRK-45', 'Records have real dates instead of zeros.', {
    key: /^(date|modified)/,
    when: ({ legacy }) => toText(legacy).startsWith('0000-00-00'),
  }),
  deviation('QUIRK-44', 'details is always an object.', {
    field: /_details$|^error\.data\.details/,
    when: ({ field, legacy }) => legacy === undefined || Array.isArray(legacy) || field.startsWith('error'),
  }),
  deviation('QUIRK-7', 'UTC+N is a fixed offset.', {
    key: /^(utc_.*|timezone_abbr)$/,
    when: ({ legacyRecord }) => /^UTC[+-]/.test(toText(legacyRecord.timezone)),
  }),
  deviation('b.7', 'timezone_abbr is the abbreviation in use, or the offset.', {
    key: /^timezone_abbr$/,
    when: ({ ours }) => /^[+-]\d/.test(toText(ours)),
  }),
  deviation('QUIRK-8', 'An event ends at its start or later.', {
    key: /^(utc_)?end_date$/,
    when: ({ key, legacy, ours, ourRecord }) =>
      toText(legacy) < toText(ours) && ours === ourRecord[key.replace('end', 'start')],
  }),
  deviation('QUIRK-20', 'Unpublished venues and organizers are embedded for those who may read them.', {
    field: /^event\.(venue|organizer)$/,
    when: ({ legacy, ours }) => {
      const records = toObjects([legacy].flat())
      return isEmpty(ours) && records.length > 0 && records.every(({ status = 'publish' }) => status !== 'publish')
    },
  }),
  deviation('QUIRK-21', 'stateprovince is derived from the whole venue.', {
    key: /^stateprovince$/,
    when: ({ ours, ourRecord: { state, province } }) => [state, province].includes(ours),
  }),
  deviation('QUIRK-22', 'Terms have no _links.', { key: /^_links$/, what: 'missing' }),
  deviation('QUIRK-23', 'Costs with thousands separators, ranges with symbols, and 0 are read as numbers.', {
    field: /^event\.cost(_details)?(\.|$)/,
    when: ({ legacyRecord: { cost } }) => /\d[.,\s]\d{3}(?!\d)|\d\D*[–-]\s*[^\d\s]|^0$/.test(toText(cost)),
  }),
  deviation('QUIRK-34', 'The name of a record with a password stays.', {
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
  deviation('c.5', 'count is computed from the events that the reader may see.', {
    field: /(^category|^tag|categories|tags)\.count$/,
    what: 'value',
  }),
  deviation('c.5', 'The setting REST_CATEGORY_TAXONOMY names the taxonomy of categories.', {
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
  deviation('c.2', 'All fields of the contract are present, with empty values too.', {
    what: 'added',
    when: ({ key, field, ours }) => contractKeys.has(key) && (isEmpty(ours) || !optionalFields.test(field)),
  }),
  deviation('c.2', 'website equals url if it was never set.', {
    field: /^event\.website$/,
    when: ({ legacy, ours, ourRecord }) => (legacy === '' || legacy === undefined) && ours === ourRecord.url,
  }),
  deviation('b.3', 'A website is an absolute URL.', {
    key: /^website$/,
    when: (difference) =>
      isText(difference) && toText(difference.ours).replace(/^https?:\/\//, '') === difference.legacy,
  }),
  deviation('c.2', 'The addresses of pages have the words event, venue, organizer, category and tag.', {
    key: /^url$/,
    when: (difference, _exchange, { ours: { site } }) =>
      isText(difference) &&
      toText(difference.ours).startsWith(`${site}/`) &&
      toText(difference.legacy).split('/').includes(lastSegment(difference.ours)),
  }),
  deviation('f.3', 'Slugs are unique within a kind.', {
    key: /^(slug|url)$/,
    when: (difference) => {
      const [legacy, ours] = [lastSegment(difference.legacy), lastSegment(difference.ours)]
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

/** Some sites encode names twice. */
const decodeTwice = (text: string) => decodeHTML(decodeHTML(text))

/** Texts that differ only in HTML entities and in typographic replacements. */
const sameText = (one: string, other: string): boolean => plain(one) === plain(other)

const withoutBlanks = (html: string) => plain(stripTags(html)).replaceAll(' ', '')

const sameHtmlText = (one: string, other: string): boolean => withoutBlanks(one) === withoutBlanks(other)
