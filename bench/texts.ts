// Synthetic names and descriptions in several languages.
import type { OwnText } from '../src/content/text/text-rows.ts'
import type { Random } from './random.ts'
import { firstNames, type Language, lastNames, type Words, words } from './vocabulary.ts'

/** Texts by language; the first language is the original one. */
export type Texts = ReadonlyMap<Language, OwnText>

/** 20 % of the records have three languages, 30 % two, 50 % one. */
function writtenIn(random: Random): readonly Language[] {
  const share = random.next()
  if (share < 0.2) return ['en', 'fr', 'es']
  if (share < 0.5) return ['en', 'fr']
  return [random.pick(['en', 'fr', 'es'] as const)]
}

const person = (random: Random) => `${random.pick(firstNames)} ${random.pick(lastNames)}`

const position = (random: Random, list: 'kinds' | 'themes' | 'houses' | 'hosts') =>
  random.int(0, words.en[list].length - 1)

export function eventTexts(random: Random): Texts {
  const [kind, theme, name] = [position(random, 'kinds'), position(random, 'themes'), person(random)]
  const length = random.int(200, 1250)
  return inLanguages(writtenIn(random), (language, own) => ({
    name: `${own.kinds[kind]} – ${own.themes[theme]} ${own.with} ${name}`,
    description: html(sentences(random, language, length)),
    ...(kind % 3 === 0 ? { excerpt: sentences(random, language, 60).join(' ') } : {}),
  }))
}

export function venueTexts(random: Random, city: string): Texts {
  const [house, name] = [position(random, 'houses'), person(random)]
  return inLanguages(writtenIn(random), (language, own) => ({
    name: `${own.houses[house]} ${name}, ${city}`,
    description: html(sentences(random, language, 250)),
  }))
}

export function organizerTexts(random: Random): Texts {
  const [host, name] = [position(random, 'hosts'), person(random)]
  return inLanguages(writtenIn(random), (language, own) => ({
    name: `${own.hosts[host]} ${name}`,
    description: html(sentences(random, language, 200)),
  }))
}

/** Kinds of events are the top level of the tree, themes the second level. */
export function categoryTexts(index: number): Texts {
  return inLanguages(['en', 'fr', 'es'], (_language, own) => ({
    name: own.kinds[index] ?? own.themes[index - own.kinds.length] ?? '',
  }))
}

export function tagTexts(random: Random, number: number): Texts {
  const theme = number % words.en.themes.length
  const edition = Math.floor(number / words.en.themes.length) + 1
  return inLanguages(writtenIn(random), (_language, own) => ({ name: `${own.themes[theme]} ${edition}`.toLowerCase() }))
}

function inLanguages(languages: readonly Language[], write: (language: Language, own: Words) => OwnText): Texts {
  return new Map(languages.map((language) => [language, write(language, words[language])]))
}

/** The fewest sentences that have `length` characters in total. */
function sentences(random: Random, language: Language, length: number): string[] {
  const { subjects, verbs, objects, moments } = words[language]
  const sentences: string[] = []
  for (let size = 0; size < length; size += (sentences.at(-1)?.length ?? 0) + 1) {
    sentences.push(`${[subjects, verbs, objects, moments].map(random.pick).join(' ')}.`)
  }
  return sentences
}

/** Paragraphs of four sentences. */
function html(sentences: readonly string[]): string {
  const paragraphs = Math.ceil(sentences.length / 4)
  return Array.from(
    { length: paragraphs },
    (_, index) => `<p>${sentences.slice(index * 4, index * 4 + 4).join(' ')}</p>`,
  ).join('')
}
