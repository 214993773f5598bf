// Synthetic names and descriptions, in the languages that a record is written in.
import type { OwnText } from '../src/content/text/text-rows.ts'
import type { Random } from './random.ts'
import { firstNames, type Language, lastNames, type Words, words } from './words.ts'

/** What a record is written in; the first language is its original one. */
export type Texts = ReadonlyMap<Language, OwnText>

/** Three languages 20 %, two 30 %, one 50 %. */
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

/** The tree's upper level is kinds, the lower one themes. */
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

/** As few as have that many characters together. */
function sentences(random: Random, language: Language, length: number): string[] {
  const { subjects, verbs, objects, moments } = words[language]
  const found: string[] = []
  for (let size = 0; size < length; size += (found.at(-1)?.length ?? 0) + 1) {
    found.push(`${[subjects, verbs, objects, moments].map(random.pick).join(' ')}.`)
  }
  return found
}

/** Paragraphs of four sentences. */
function html(found: readonly string[]): string {
  const paragraphs = Math.ceil(found.length / 4)
  return Array.from(
    { length: paragraphs },
    (_, index) => `<p>${found.slice(index * 4, index * 4 + 4).join(' ')}</p>`,
  ).join('')
}
