import { type Draft, nameOf } from './draft.ts'
import { num, slug } from './raw.ts'

// Picks the best remaining event repeatedly. Kinds, towns, places, lengths and titles that were picked before count less.
export const pick = (drafts: Draft[], count: number): Draft[] => {
  const seen = new Map<string, number>()
  const rest = drafts.map((draft) => {
    const { venue, image, categories, tags, texts, first } = draft
    const length = Math.min(4, Math.ceil((texts[first]?.description?.length ?? 0) / 250))
    const value = (image ? 3 : 0) + (num(venue, 'latitude') ? 3 : 0) + length / 2 + (tags.length > 0 ? 0.5 : 0)
    const traits = { [categories.join()]: 0.1, [`in ${venue.city}`]: 0.2, [`at ${nameOf(venue)}`]: 0.4, [length]: 0.04 }
    const all = Object.entries({ ...traits, [slug(nameOf(draft))]: 9 })
    return { draft, value: categories.length > 0 ? value : -9, traits: all }
  })
  const worth = ({ value, traits }: (typeof rest)[0]): number =>
    traits.reduce((sum, [key, weight]) => sum - weight * (seen.get(key) ?? 0), value)
  return Array.from({ length: Math.min(count, rest.length) }, () => {
    const best = rest.reduce((left, right) => (worth(right) > worth(left) ? right : left))
    for (const [key] of best.traits) seen.set(key, (seen.get(key) ?? 0) + 1)
    return rest.splice(rest.indexOf(best), 1)
  }).flatMap((found) => found.map((item) => item.draft))
}

export const inLangs = (drafts: Draft[], langs: string): Draft[] => [
  ...new Map(
    drafts
      .filter((draft) => Object.keys(draft.texts).join() === langs && draft.end > draft.start)
      .map((draft) => [`${slug(nameOf(draft))} ${draft.start}`, draft]),
  ).values(),
]

const isInformative = (draft: Draft): boolean =>
  Object.values(draft.texts).every((text) => (text.description ?? '').length > 90)

export const fitting = (drafts: Draft[], langs: string, count: number): Draft[] =>
  pick(
    inLangs(drafts, langs).filter((draft) => draft.fit && isInformative(draft)),
    count,
  )
