// The texts of the real events.
import { readFileSync } from 'node:fs'
import type { OwnText } from '../src/calendar/text/text-rows.ts'

export const languages = ['en', 'fr', 'es'] as const
export type Language = (typeof languages)[number]

type Kind = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

interface SampleRecord {
  readonly texts: Readonly<Partial<Record<Language, OwnText>>>
}

const sample: Readonly<Record<Kind, readonly SampleRecord[]>> = JSON.parse(
  readFileSync(new URL('real-events/events.json', import.meta.url), 'utf8'),
)

/** Plain texts of one language. */
export const sampleTexts = (kind: Kind, language: Language): OwnText[] =>
  sample[kind].flatMap(({ texts: { [language]: text } }) => {
    if (!text) return []
    return [Object.fromEntries(Object.entries(text).map(([field, html]) => [field, plain(html)]))]
  })

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

const plain = (html: string): string =>
  html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
