// Words of three languages, as frequent as in natural texts: those of the sample texts first, then those of word lists.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createRandom, type Random } from '../prisma/seed/random.ts'
import { type Language, sampleTexts } from './sample-texts.ts'

const require = createRequire(import.meta.url)
const lists: Readonly<Record<Language, string>> = {
  en: require.resolve('an-array-of-english-words'),
  fr: require.resolve('an-array-of-french-words'),
  es: require.resolve('an-array-of-spanish-words'),
}

/** Number of words of a list, of which all have 275,000 to 640,000. */
const listed = 150_000

/** By Zipf's law the frequency of a word is about the inverse of its rank. */
const exponent = 1.1

export interface Words {
  /** Words that sentences keep, such as articles and prepositions: they are short, or among the most frequent ones. */
  readonly kept: ReadonlySet<string>
  /** Any other word, with the probability of its rank. */
  pick(random: Random): string
}

const memoized = new Map<Language, Words>()

export function wordsOf(language: Language): Words {
  const words = memoized.get(language) ?? readWords(language)
  memoized.set(language, words)
  return words
}

function readWords(language: Language): Words {
  const counts = new Map<string, number>()
  for (const { name = '', description = '', excerpt = '' } of sampleTexts('events', language)) {
    for (const [word] of `${name} ${description} ${excerpt}`.toLowerCase().matchAll(/\p{L}+/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const byFrequency = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word)
  const kept = new Set(byFrequency.filter((word, rank) => word.length <= 2 || rank < 60))
  const others = shuffled(JSON.parse(readFileSync(lists[language], 'utf8'))).slice(0, listed)
  const ranked = [...new Set([...byFrequency.filter((word) => !kept.has(word)), ...others])]
  const sums = new Float64Array(ranked.length)
  let sum = 0
  for (let rank = 0; rank < ranked.length; rank++) {
    sum += (rank + 10) ** -exponent
    sums[rank] = sum
  }
  return { kept, pick: (random) => ranked[firstAbove(sums, random.next() * sum)] ?? '' }
}

/** The first position in ascending numbers whose number is greater. */
function firstAbove(numbers: Float64Array, value: number): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}

/** Shuffles in place, always in the same way. */
function shuffled(words: string[]): string[] {
  const random = createRandom(1)
  for (let last = words.length - 1; last > 0; last--) {
    const other = random.int(0, last)
    const word = words[last] as string
    words[last] = words[other] as string
    words[other] = word
  }
  return words
}
