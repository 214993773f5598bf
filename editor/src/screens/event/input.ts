// What the form sends to the service: only what was changed.
import { toWebsite } from '../../address.ts'
import type { LanguageCode, TranslationInput, UpdateEventInput, UpdateEventSeriesInput } from '../../gql/graphql.ts'
import { contentLanguages } from '../../site.ts'
import { changedFields } from './merge.ts'
import { type FieldName, type TextKey, textFields, toInstant, type Values } from './values.ts'

export type ContentInput = Omit<UpdateEventInput & UpdateEventSeriesInput, 'id' | 'schedule' | 'ifUnmodifiedSince'>

/** Input for the fields that differ, with the texts of `language` as those of the operation. Dates are not among them. */
export function toContentInput(values: Values, saved: Values, language: LanguageCode, timeZone: string): ContentInput {
  const changed = changedFields({ values, saved })
  const ifChanged = (name: FieldName, input: ContentInput): ContentInput => (changed.includes(name) ? input : {})
  const ids = (records: readonly { readonly id: string }[]) => records.map(({ id }) => ({ id }))
  const translations = contentLanguages
    .filter((each) => each !== language)
    .map((each) => toTranslation(values, changed, each))
    .filter((translation) => Object.keys(translation).length > 1)
  const { name: title, ...texts } = toTranslation(values, changed, language)
  return {
    ...(title !== undefined && { title }),
    ...('excerpt' in texts && { excerpt: texts.excerpt ?? '' }),
    ...('description' in texts && { description: texts.description ?? '' }),
    ...(translations.length > 0 && { translations }),
    ...ifChanged('venues', { venues: ids(values.venues) }),
    ...ifChanged('attendanceMode', { attendanceMode: values.attendanceMode }),
    ...ifChanged('onlineUrl', { onlineUrl: toWebsite(values.onlineUrl) || null }),
    ...ifChanged('organizers', { organizers: ids(values.organizers) }),
    ...(values.image?.id !== saved.image?.id && { imageId: values.image?.id ?? null }),
    ...ifChanged('cost', {
      cost: values.cost === 'free' ? ['Free'] : values.cost.map((entry) => entry.trim()).filter(Boolean),
    }),
    ...ifChanged('tickets', { tickets: values.tickets.filter(({ name, price }) => name !== '' || price !== '') }),
    ...ifChanged('website', { website: toWebsite(values.website) || null }),
    ...ifChanged('categories', { categories: ids(values.categories) }),
    ...ifChanged('tags', { tags: ids(values.tags) }),
    ...ifChanged('eventStatus', { eventStatus: values.eventStatus }),
    ...ifChanged('publishedAt', {
      publishedAt: values.publishedAt ? toInstant(values.publishedAt, timeZone) : new Date().toISOString(),
    }),
    ...ifChanged('password', { password: values.password }),
    ...ifChanged('hideFromListings', { hideFromListings: values.hideFromListings }),
    ...ifChanged('featured', { featured: values.featured }),
  }
}

function toTranslation(values: Values, changed: readonly FieldName[], language: LanguageCode): TranslationInput {
  const texts = textFields
    .map((field): TextKey => `${field}.${language}`)
    .filter((key) => changed.includes(key))
    .map((key) => [key.startsWith('title') ? 'name' : key.split('.')[0], values[key].trim() || null])
  return { language, ...Object.fromEntries(texts) }
}

/** The field of the form that a path of the input belongs to. */
export function fieldOfPath(
  path: readonly string[],
  input: ContentInput,
  language: LanguageCode,
): FieldName | undefined {
  const [name = '', index, part = ''] = path
  if (name === 'title' || name === 'excerpt' || name === 'description') return `${name}.${language}`
  if (name === 'translations') {
    const other = input.translations?.[Number(index)]?.language ?? language
    return part === 'excerpt' || part === 'description' ? `${part}.${other}` : `title.${other}`
  }
  if (['startsLocal', 'endsLocal', 'allDay', 'timeZone', 'schedule'].includes(name)) return 'dates'
  if (name === 'imageId') return 'image'
  return otherFields.find((field) => field === name)
}

const otherFields = [
  ...(['venues', 'attendanceMode', 'onlineUrl', 'organizers', 'cost', 'tickets', 'website', 'categories'] as const),
  ...(['tags', 'eventStatus', 'publishedAt', 'password', 'hideFromListings', 'featured'] as const),
]
