// Values of scalars that find records of the sample.
import type { Random } from '../../prisma/seed/random.ts'
import type { TestApp } from './app.ts'
import type { DrawScalar } from './document-inputs.ts'
import { shortSearch } from './short-searches.ts'

const kinds = ['event', 'venue', 'organizer', 'category', 'tag', 'image', 'user'] as const
type Kind = (typeof kinds)[number]

/** What arguments and input fields refer to, unless it is the kind that they belong to. */
const kindOfName: Readonly<Record<string, Kind>> = {
  ...{ event: 'event', venues: 'venue', organizers: 'organizer', categories: 'category', tags: 'tag', authors: 'user' },
}
const searched = new Set(['search', 'placeName', 'prefix'])
const frequent = ['e', 'o', 'a', 'de', 'la', 'le', 'the', 'con', '-e', '"de la"']

interface Words {
  readonly ids: Readonly<Record<string, readonly string[]>>
  readonly globalIds: readonly string[]
  readonly slugs: Readonly<Record<string, readonly string[]>>
  readonly cities: readonly string[]
  readonly words: readonly string[]
}

export async function scalarsOf(app: Pick<TestApp, 'database' | 'graphql'>, random: Random): Promise<DrawScalar> {
  const { int, chance, pick, next } = random
  const { ids, globalIds, slugs, cities, words } = await readWords(app)
  const kindOf = (name: string, owner: string): Kind =>
    kindOfName[name] ?? kinds.find((kind) => owner.toLowerCase().startsWith(kind.slice(0, -1))) ?? pick(kinds)
  const day = (months: readonly string[]) => `2026-${pick(months)}-${String(int(1, 30)).padStart(2, '0')}`
  const search = () =>
    chance(0.6)
      ? shortSearch(random)
      : Array.from({ length: int(1, 12) }, () => pick(chance(0.5) ? words : frequent)).join(' ')

  const scalars: Readonly<Record<string, (name: string, owner: string) => unknown>> = {
    Boolean: () => chance(0.5),
    Int: (name, owner) =>
      name === 'page' || name === 'part'
        ? int(1, chance(0.8) ? 3 : 40)
        : int(1, chance(0.5) || owner === 'SearchSuggestion' ? 20 : 100),
    Float: (name) => (name === 'latitude' ? 38 + next() * 12 : name === 'longitude' ? next() * 9 - 4 : int(1, 2000)),
    ID: (name, owner) => (owner === 'Node' ? pick(globalIds) : pick(ids[kindOf(name, owner)] ?? globalIds)),
    DateTime: () => `${day(['10', '11', '12'])}T12:00:00Z`,
    LocalDateTime: () => `${day(['10', '11', '12'])}T12:00:00`,
    DayExpression: (name) => (name === 'from' ? day(['10', '11']) : day(['12'])),
    String: (name, owner) => {
      if (searched.has(name)) return search().slice(0, 100)
      if (name === 'cities') return pick(cities)
      if (name === 'slug' || name === 'slugs') return pick(slugs[kindOf(name, owner)] ?? words)
      if (name === 'timeZone') return pick(['Europe/Paris', 'America/New_York', 'Pacific/Apia'])
      return name === 'currency' ? pick(['EUR', '$']) : pick(words)
    },
  }
  return (type, name, owner) => scalars[type]?.(name, owner) ?? pick(words)
}

async function readWords({ database: { pool }, graphql }: Pick<TestApp, 'database' | 'graphql'>): Promise<Words> {
  const column = async (select: string): Promise<string[]> =>
    (await pool.query<{ value: string }>(`SELECT ${select} LIMIT 500`)).rows.map(({ value }) => value)
  const byKind = async (of: readonly Kind[], select: (kind: Kind) => string) =>
    Object.fromEntries(await Promise.all(of.map(async (kind) => [kind, await column(select(kind))] as const)))
  const lists = ['events', 'venues', 'organizers', 'categories', 'tags']
  const { body } = await graphql(`{ ${lists.map((list) => `${list}(first: 20) { nodes { id } }`).join(' ')} }`)
  return {
    ids: await byKind(kinds, (kind) => `id::text AS value FROM "${kind}" ORDER BY id`),
    globalIds: lists.flatMap((list) => body.data[list].nodes.map(({ id }: { id: string }) => id)),
    slugs: await byKind(kinds.slice(0, 5), (kind) => `slug AS value FROM ${kind}_slug ORDER BY slug`),
    cities: await column(`DISTINCT city AS value FROM venue WHERE city <> '' ORDER BY city`),
    words: await column('token AS value FROM search_token ORDER BY md5(token)'),
  }
}
