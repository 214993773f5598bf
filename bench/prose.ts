// Sentences like those of the sample texts, with other words: punctuation, capitals, numbers and short words stay.
import type { Random } from '../prisma/seed/random.ts'
import { type Language, languages, sampleTexts } from './sample-texts.ts'
import { wordsOf } from './words.ts'

const byLanguage = <T>(create: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(languages.map((language) => [language, create(language)])) as Record<Language, T>

const sentences = byLanguage((language) =>
  sampleTexts('events', language).flatMap(({ description = '' }) => description.match(/\S[^.!?…]*[.!?…]+/g) ?? []),
)
const names = byLanguage((language) => {
  // The organizers of the sample have no English names.
  const namesOf = (kind: 'events' | 'venues' | 'organizers') => {
    const own = sampleTexts(kind, language)
    return (own.length > 0 ? own : sampleTexts(kind, 'fr')).flatMap(({ name }) => name ?? [])
  }
  return { event: namesOf('events'), venue: namesOf('venues'), organizer: namesOf('organizers') }
})

/** Share of the words of a sentence that are replaced. */
const replaced = 0.75

/** Replaces words by others of the language. */
function reword(random: Random, language: Language, text: string): string {
  const { kept, pick } = wordsOf(language)
  return text.replace(/\p{L}+/gu, (word) => {
    if (kept.has(word.toLowerCase()) || !random.chance(replaced)) return word
    const other = pick(random)
    return /^\p{Lu}/u.test(word) ? other.charAt(0).toUpperCase() + other.slice(1) : other
  })
}

/** The name of an event, a venue or an organizer. */
export const inventName = (random: Random, language: Language, kind: 'event' | 'venue' | 'organizer'): string =>
  reword(random, language, random.pick(names[language][kind]))

/** A name of the sample: weekly courses and services share theirs with many others. */
export const commonName = (random: Random, language: Language): string =>
  random.pick(names[language].event.slice(0, 20))

/** About as many words as asked for, at least one sentence. */
export function inventSentences(random: Random, language: Language, words: number): string[] {
  const result: string[] = []
  for (let count = 0; count < words; count += result.at(-1)?.split(' ').length ?? 1)
    result.push(reword(random, language, random.pick(sentences[language])))
  return result
}

/** Number of words of a description: half of them have less than 100, one in a hundred more than 600. */
export function descriptionLength(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return Math.min(2000, Math.max(8, Math.round(85 * Math.exp(0.85 * normal))))
}
