// Synthetic names and descriptions in several languages.

import type { Random } from '../prisma/seed/random.ts'
import type { OwnText } from '../src/calendar/text/text-rows.ts'
import { commonName, descriptionLength, inventName, inventSentences } from './prose.ts'
import { type Language, languages, sampleTexts } from './sample-texts.ts'
import { wordsOf } from './words.ts'

/** Texts by language; the first language is the original one. */
export type Texts = ReadonlyMap<Language, OwnText>

/** Most records have one language, 12 % two and 5 % three. */
function writtenIn(random: Random): readonly Language[] {
  const share = random.next()
  const original = share < 0.45 ? 'en' : share < 0.75 ? 'fr' : 'es'
  const others = languages.filter((language) => language !== original)
  const count = random.next()
  return [original, ...(count < 0.05 ? others : count < 0.17 ? others.slice(0, 1) : [])]
}

/** One in twelve has a name that many others have, too. One in thirty has no description. */
export function eventTexts(random: Random): Texts {
  const [hasCommonName, hasExcerpt] = [random.chance(1 / 12), random.chance(1 / 3)]
  const words = random.chance(1 / 30) ? 0 : descriptionLength(random)
  return inLanguages(writtenIn(random), (language) => ({
    name: hasCommonName ? commonName(random, language) : inventName(random, language, 'event'),
    ...described(random, language, words),
    ...(hasExcerpt ? { excerpt: inventSentences(random, language, 15).join(' ') } : {}),
  }))
}

export const venueTexts = (random: Random, city: string): Texts =>
  inLanguages(writtenIn(random), (language) => ({
    name: `${inventName(random, language, 'venue')}, ${city}`,
    ...described(random, language, random.chance(0.5) ? 40 : 0),
  }))

export const organizerTexts = (random: Random): Texts =>
  inLanguages(writtenIn(random), (language) => ({
    name: inventName(random, language, 'organizer'),
    ...described(random, language, random.chance(0.5) ? 30 : 0),
  }))

/** The first ones are those of the sample. */
export const categoryTexts = (random: Random, number: number): Texts =>
  inLanguages(languages, (language) => ({
    name: sampleTexts('categories', language)[number]?.name ?? capitalized(wordsOf(language).pick(random)),
  }))

/** Of one, two or three words. */
export const tagTexts = (random: Random): Texts => {
  const count = random.pick([1, 1, 1, 2, 2, 3])
  return inLanguages(writtenIn(random), (language) => ({
    name: Array.from({ length: count }, () => wordsOf(language).pick(random)).join(' '),
  }))
}

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

const inLanguages = (written: readonly Language[], write: (language: Language) => OwnText): Texts =>
  new Map(written.map((language) => [language, write(language)]))

function described(random: Random, language: Language, words: number): OwnText {
  if (words === 0) return {}
  const sentences = inventSentences(random, language, words)
  const paragraphs = Array.from({ length: Math.ceil(sentences.length / 4) }, (_, index) =>
    sentences.slice(index * 4, index * 4 + 4).join(' '),
  )
  return { description: paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('') }
}

const escapeHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
