import { categories } from './categories.ts'
import { type Draft, nameOf } from './draft.ts'
import { type Row, slug, str } from './raw.ts'

export interface Planned {
  readonly draft: Draft
  /** Week of the start, counted from the week when the events are loaded. */
  readonly week: number
}

/** The content of events.json. */
export function sampleText(planned: readonly Planned[]): string {
  const sample: Record<string, Row[]> = { images: [], venues: [], organizers: [], categories: [], tags: [], events: [] }
  const keys = new Map<string, string>()
  const put = (kind: string, id: string, row: Row | undefined): string => {
    const key = keys.get(`${kind} ${id}`) ?? `${kind[0]}${(sample[kind]?.length ?? 0) + 1}`
    if (row && !keys.has(`${kind} ${id}`)) sample[kind]?.push({ key, ...row })
    if (row) keys.set(`${kind} ${id}`, key)
    return row ? key : ''
  }

  const known = (kind: string, ids: string[]): string[] =>
    [...new Set(ids.map((id) => keys.get(`${kind} ${id}`) ?? ''))].filter(Boolean)

  for (const [id, en, fr, es, parent] of categories) {
    const texts = { en: { name: en }, fr: { name: fr }, es: { name: es } }
    put('categories', id, { first: 'en', texts, parent: keys.get(`categories ${parent}`) })
  }

  const uses = Map.groupBy(planned.flatMap(({ draft }) => draft.tags).sort(), (tag) => tag)
  for (const [tag] of [...uses].sort((left, right) => right[1].length - left[1].length).slice(0, 60)) {
    put('tags', tag, { first: tag.slice(0, 2), texts: { [tag.slice(0, 2)]: { name: tag.slice(3) } } })
  }

  for (const [index, { draft, week }] of planned.entries()) {
    const { first, texts, start, end, timeZone, allDay, cost, website, venue, organizer } = draft
    const [image, photo] = [draft.image, venue.image as Row].map((item) => put('images', str(item, 'url'), item))
    const place = nameOf(venue) && put('venues', slug(`${nameOf(venue)} ${venue.city}`), { ...venue, image: photo })
    const host = nameOf(organizer) && put('organizers', slug(nameOf(organizer)), organizer)
    sample.events?.push({
      first,
      texts,
      week,
      start,
      end,
      timeZone,
      allDay,
      cost,
      website,
      image,
      venues: [place].filter(Boolean),
      organizers: [host].filter(Boolean),
      categories: known('categories', draft.categories),
      tags: known('tags', draft.tags),
      featured: index % 33 === 0 || index === 5 || undefined,
    })
  }

  const sections = Object.entries(sample).map(
    ([kind, list]) => `"${kind}": [\n${list.map((row) => JSON.stringify(row, filled)).join(',\n')}\n]`,
  )
  return `{\n${sections.join(',\n')}\n}\n`
}

const filled = (_key: string, value: unknown): unknown =>
  value === '' || (Array.isArray(value) && value.length === 0)
    ? undefined
    : typeof value === 'number'
      ? Math.round(value * 1e6) / 1e6
      : value
