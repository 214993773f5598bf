// Random writes to a calendar by GraphQL, some of which are about events that nobody, or not everybody, may ever see.
export interface World {
  readonly events: number[]
  readonly venues: number[]
  readonly organizers: number[]
  readonly categories: number[]
  readonly tags: number[]
  /** Events that are never published or never listed, and never deleted. */
  readonly secrets: number[]
}

export interface RandomWrite {
  /** The mutation, such as `updateEvent`. */
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  /** Keeps the ID of the record that it created. */
  readonly keep?: (id: number) => void
}

/** The title of events that are never published or never listed. */
export const secretTitle = 'Secret jazz'

/** Words of titles, by language. */
export const words = { en: 'Jazz', fr: 'Nuit', es: 'Noche' } as const

const random = (limit: number) => Math.floor(Math.random() * limit)
const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item

const texts = () => ({
  title: `${pick(['Jazz', 'Talk', 'Jazz session'])} ${random(100)}`,
  translations: (['fr', 'es'] as const).flatMap((language) =>
    random(3) === 0
      ? []
      : [{ language: language.toUpperCase(), name: `${pick([words[language], 'Concert'])} ${random(100)}` }],
  ),
})

function newEvent({ venues, organizers, categories, tags }: World, now: number) {
  const startsAt = now + (random(48) - 12) * 3_600_000
  return {
    ...texts(),
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 7_200_000).toISOString(),
    venues: [{ id: pick(venues) }],
    organizers: [{ id: pick(organizers) }],
    categories: [{ id: pick(categories) }],
    tags: [{ id: pick(tags) }],
  }
}

/** One write; `now` is the time of the service. Its target may be gone. */
export function randomWrite(world: World, now: number): RandomWrite {
  const { events, secrets, venues, organizers, categories, tags } = world
  const id = pick(events)
  const secret = pick(secrets)
  const soon = new Date(now + random(3_600_000)).toISOString()
  const keepIn = (ids: number[]) => (created: number) => void ids.push(created)
  const createEvent = (fields: object, ids = events): RandomWrite => ({
    name: 'createEvent',
    input: { ...newEvent(world, now), ...fields },
    keep: keepIn(ids),
  })
  const update = (fields: object, target = id): RandomWrite => ({
    name: 'updateEvent',
    input: { id: target, ...fields },
  })
  const secretText = { title: `${secretTitle} ${random(100)}`, translations: [] }
  const writes: readonly (() => RandomWrite)[] = [
    () => createEvent({ status: 'PUBLISHED' }),
    () => createEvent({ status: 'PUBLISHED', publishedAt: soon }),
    () => createEvent({ status: pick(['DRAFT', 'PRIVATE', 'PENDING']) }),
    () => createEvent({ ...secretText, status: pick(['DRAFT', 'PRIVATE']) }, secrets),
    () => createEvent({ ...secretText, status: 'PUBLISHED', hideFromListings: true }, secrets),
    () => update(texts()),
    () => update({ status: pick(['DRAFT', 'PUBLISHED', 'PUBLISHED']) }),
    () => update({ publishedAt: soon, status: 'PUBLISHED' }),
    () => update({ categories: [{ id: pick(categories) }], tags: random(2) ? [] : [{ id: pick(tags) }] }),
    () => update({ venues: random(2) ? [] : [{ id: pick(venues) }] }),
    () => update({ hideFromListings: random(2) === 0 }),
    () => update({ password: random(2) ? '' : `closed ${random(3)}` }),
    () => update({ description: `Doors ${random(100)}` }, secret),
    () => ({ name: pick(['trashEvent', 'restoreEvent']), input: { id: secret } }),
    () => ({ name: pick(['trashEvent', 'restoreEvent', 'restoreEvent', 'deleteEvent']), input: { id } }),
    () => ({
      name: 'updateVenue',
      input: { id: pick(venues), name: `Hall ${random(100)}`, city: pick(['Gent', 'Lyon']) },
    }),
    () => ({ name: 'updateVenue', input: { id: pick(venues), status: pick(['DRAFT', 'PUBLISHED']) } }),
    () => ({ name: 'createVenue', input: { name: `Loft ${random(100)}` }, keep: keepIn(venues) }),
    () => ({ name: pick(['trashVenue', 'restoreVenue', 'deleteVenue']), input: { id: pick(venues) } }),
    () => ({ name: pick(['trashOrganizer', 'restoreOrganizer']), input: { id: pick(organizers) } }),
    () => ({ name: 'updateOrganizer', input: { id: pick(organizers), name: `Club ${random(100)}` } }),
    () => ({ name: 'updateCategory', input: { id: pick(categories), name: `Music ${random(100)}` } }),
    () => ({ name: 'updateTag', input: { id: pick(tags), name: `Late ${random(100)}` } }),
    () => ({ name: 'createTag', input: { name: `Tag ${random(1e6)}` }, keep: keepIn(tags) }),
  ]
  return pick(writes)()
}

/** The document of a write. */
export function mutationOf({ name, input, keep }: RandomWrite) {
  const [, verb = '', type = ''] = /^([a-z]+)(\w+)$/.exec(name) ?? []
  const isPlain = verb === 'create' || verb === 'update'
  const inputType = isPlain ? `${verb[0]?.toUpperCase()}${verb.slice(1)}${type}Input` : 'RecordInput'
  const record = keep ? `record: ${type.toLowerCase()} { databaseId }` : ''
  const query = `mutation ($input: ${inputType}!) { done: ${name}(input: $input) { ${record} userErrors { code message } } }`
  return { query, variables: { input } }
}
