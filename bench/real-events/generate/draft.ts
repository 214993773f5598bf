// An event of the sources that may become part of the test data.
import type { Row } from './raw.ts'

export type Lang = 'fr' | 'en' | 'es'
type Text = { name: string; description?: string; excerpt?: string }
export type Named = { first: Lang; texts: Partial<Record<Lang, Text>>; website?: string }
export type When = { start: string; end: string; timeZone: string; allDay?: true }
export type Draft = Named &
  When & {
    id: string
    fit: boolean
    cost: string[]
    image?: Row | undefined
    venue: Row & Named
    organizer: Named
    categories: string[]
    tags: string[]
  }

export const nameOf = (item: Named): string => item.texts[item.first]?.name ?? ''
