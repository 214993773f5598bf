// Values for the inputs of mutations, by the names of their fields.
import fc from 'fast-check'
import { type Content, termKinds } from './cached-content.ts'
import type { Values } from './cached-values.ts'

/** What is written: a kind of record, `uncounted` for events that terms do not count, an image or a user. */
export const writtenKinds = ['event', 'venue', 'organizer', 'category', 'tag', 'uncounted', 'image', 'user'] as const
export type WrittenKind = (typeof writtenKinds)[number]

export const oneOf = <Value>(values: readonly Value[] = []): fc.Arbitrary<Value> => fc.constantFrom(...values)
export const word = fc.stringMatching(/^[a-z]{3,8}$/)

/** A time up to this many minutes before or after `now`. */
export const around = (now: Date, most: number): fc.Arbitrary<Date> =>
  fc.integer({ min: -most, max: most }).map((minutes) => new Date(now.getTime() + minutes * 60_000))

export const places = [
  { latitude: 48.8566, longitude: 2.3522 },
  { latitude: 40.7128, longitude: -74.006 },
  { latitude: -16.8, longitude: 179.98 },
]

export function inputValues({ ids, slugs }: Content, kind: WrittenKind, now: Date): Values {
  const instant = around(now, 4000).map((date) => date.toISOString())
  const wall = instant.map((text) => text.slice(0, 19))
  const all = (names: readonly string[], values: fc.Arbitrary<unknown>): Values =>
    Object.fromEntries(names.map((name) => [name, values]))
  const links = (target: string) =>
    fc.uniqueArray(oneOf(ids[target]), { maxLength: 2 }).map((some) => some.map((id) => ({ id })))
  const terms = (target: string) =>
    fc.oneof(
      oneOf(ids[target]).map((id) => [{ id }]),
      oneOf(ids[target]).map((idIfExists) => [{ idIfExists }]),
      oneOf(slugs[target]).map((nameOrSlug) => [{ nameOrSlug }]),
    )
  const ofEvents = (type: string): Values => ({
    ...{ [`${type}.venues`]: links('venue'), [`${type}.organizers`]: links('organizer') },
    ...{ [`${type}.categories`]: terms('category'), [`${type}.tags`]: terms('tag') },
    ...{ [`${type}.parentId`]: fc.option(oneOf(ids.event)), [`${type}.cost`]: fc.array(oneOf(['5', '21', 'free'])) },
  })
  const identity = oneOf(ids[kind])
  const excerpt = termKinds.some((term) => term === kind) ? {} : { excerpt: word }
  const language = oneOf(['FR', 'ES'])
  const translation = { language, name: word, description: word, slug: word, ...excerpt }
  return {
    ...all(['title', 'name', 'description', 'excerpt', 'slug', 'login', 'phone', 'zip'], word),
    ...all(['altText', 'caption', 'credit'], word),
    ...all(['address', 'city', 'country', 'province', 'state', 'stateProvince', 'key', 'label', 'value'], word),
    ...all(['startsAt', 'endsAt', 'publishedAt', 'previousStartsAt', 'salesStart', 'salesEnd'], instant),
    ...all(['startsLocal', 'endsLocal'], wall),
    ...{ uid: fc.uuid(), sequence: fc.nat(100) },
    ...Object.assign(
      {},
      ...['CreateEvent', 'UpdateEvent', 'CreateEventSeries', 'UpdateEventSeries'].map((name) =>
        ofEvents(`${name}Input`),
      ),
    ),
    ...{
      id: identity.map((id) => (kind === 'user' ? id : String(id))),
      currentSlug: oneOf([...(slugs[kind] ?? []), 'unknown']),
    },
    mergedIds: identity.map((id) => [String(id)]),
    ifUnmodifiedSince: fc.constant('2099-01-01T00:00:00Z'),
    timeZone: oneOf(['UTC', 'Europe/Paris', 'Asia/Kolkata', 'UTC+5:30']),
    ...{ authorId: oneOf(ids.user), imageId: fc.option(oneOf(ids.image)), contentTo: oneOf(ids.user) },
    parentId: fc.option(oneOf(ids.category)),
    ...all(
      ['website', 'onlineUrl'],
      word.map((name) => `https://${name}.test/`),
    ),
    ...all(['dateLabel', 'dateNote'], word),
    ScheduleInput: wall.map((startsLocal) => {
      const days = (number: number) =>
        new Date(Date.parse(`${startsLocal}Z`) + number * 86_400_000).toISOString().slice(0, 19)
      const times = (number: number) => ({ startsLocal: days(number), endsLocal: days(number + 1) })
      return {
        ...{ timeZone: 'Europe/Paris', allDay: false, excludedDates: [days(2).slice(0, 10)] },
        ...{ recurrences: [{ ...times(0), rule: 'FREQ=DAILY;COUNT=4' }], extraDates: [times(9)] },
      }
    }),
    email: word.map((name) => `${name}@example.test`),
    password: oneOf(['sesame', 'another', '']),
    CoordinatesInput: oneOf(places),
    language,
    TranslationInput: fc.record(translation, { requiredKeys: ['language', 'name'] }),
    ...{ 'DeleteImageInput.force': fc.constant(true), ImageTranslationInput: fc.record({ language, caption: word }) },
    ...{ price: oneOf(['5.00', '12.50']), currency: oneOf(['EUR', 'USD']), capacity: oneOf([1, 50]) },
  }
}
