import type { LanguageCode } from '../../gql/graphql.ts'
import type { FieldErrors } from './refusal.ts'
import { isComplete } from './schedule.ts'
import { titledLanguages, type Values } from './values.ts'

export type MissingPart = 'title' | 'dates' | 'venues' | 'onlineUrl' | 'image'

/** What visitors need before the event can be published, in the order of the form. */
export function findMissing(values: Values): MissingPart[] {
  const { dates, venues, attendanceMode, onlineUrl, image } = values
  const isMissing: Readonly<Record<MissingPart, boolean>> = {
    title: titledLanguages(values).length === 0,
    dates: !isComplete(dates),
    venues: attendanceMode !== 'ONLINE' && venues.length === 0,
    onlineUrl: attendanceMode === 'ONLINE' && onlineUrl.trim() === '',
    image: image?.canEdit === true && image.altText.trim() === '' && !image.decorative,
  }
  return (Object.keys(isMissing) as MissingPart[]).filter((part) => isMissing[part])
}

/** Says what is missing at the fields; the title in the language that is shown. */
export const missingErrors = (
  missing: readonly MissingPart[],
  language: LanguageCode,
  texts: Readonly<Record<MissingPart, string>>,
): FieldErrors =>
  Object.fromEntries(missing.map((part) => [part === 'title' ? `title.${language}` : part, texts[part]]))
