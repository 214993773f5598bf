// Writes: each mutation with each field of its input, REST writes, and SQL statements of other programs.
import fc from 'fast-check'
import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType } from 'graphql'
import type { Db } from '../../src/engine/postgres/client.ts'
import type { ApiClient } from './app.ts'
import { type Content, pluralOf, postKinds, recordKinds, termKinds } from './cached-content.ts'
import { around, inputValues, oneOf, places, type WrittenKind, word } from './cached-input.ts'
import { drawing, type Path, pathsOf, placeOf } from './cached-values.ts'
import { nameField, newRecord, ns } from './rest.ts'

export interface Write {
  readonly kind: WrittenKind
  /** The mutation, route or table. */
  readonly by: string
  draw(content: Content, now: Date): fc.Arbitrary<Act>
}

interface Act {
  /** Describes the write in errors. */
  readonly name: string
  /** Returns whether the write succeeded. */
  run(db: Db, editor: ApiClient): Promise<boolean>
}

/** Writes that do not change responses to anonymous users, with the reason. */
const withoutTrace: Readonly<Record<string, string>> = {
  createApiToken: 'credentials are shown to nobody else',
  createApplicationPassword: 'credentials are shown to nobody else',
  revokeCredential: 'credentials are shown to nobody else',
  createSignInLink: 'credentials are shown to nobody else',
  changePassword: 'credentials are shown to nobody else',
  announceEditing: 'only those who may update the record see it',
  createProposalChallenge: 'nothing is stored',
  proposeEvent: 'only editors see proposals',
  proposeChange: 'only editors see proposals',
  updateProposal: 'only editors see proposals',
  askAboutProposal: 'only editors see proposals',
  declineProposal: 'only editors see proposals',
  returnEvent: 'visitors see neither pending events nor drafts',
  acceptProposal: 'it writes by the mutations of events',
  createWebhook: 'webhooks are shown to administrators only',
  updateWebhook: 'webhooks are shown to administrators only',
  deleteWebhook: 'webhooks are shown to administrators only',
  rotateWebhookSecret: 'webhooks are shown to administrators only',
  pingWebhook: 'webhooks are shown to administrators only',
  replayWebhookDeliveries: 'webhooks are shown to administrators only',
  updateViewer: 'it changes the user who sends it; response-cache.test.ts covers it',
  restoreRevision: 'it writes by the update mutations',
  importImage: 'an image shows where a record has it, and this one lies on another site',
  uploadImage: 'an image shows where a record has it',
}

/** Input fields that no write sets, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  imageUrl: 'the image lies on another site',
  imageFile: 'a file is sent in a form',
  file: 'a file is sent in a form',
}

const kindOf = (mutation: string): WrittenKind =>
  recordKinds.find((kind) => mutation.toLowerCase().endsWith(pluralOf[kind])) ??
  [...recordKinds, 'image' as const].find((kind) => mutation.toLowerCase().endsWith(kind)) ??
  'user'

/** One write per mutation, and one per input field at its least nested position. */
export function mutationWrites(schema: GraphQLSchema): Write[] {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) => !withoutTrace[name])
  const all = fields.flatMap((field) => pathsOf(field.args).map((path) => ({ field, path })))
  const seen = new Set<string>()
  const first = all
    .sort((one, other) => one.path.length - other.path.length)
    .filter(({ field, path }) => {
      const place = placeOf(field.args, field.name, path)
      if (seen.has(place) || leftOut[path.at(-1) ?? '']) return false
      seen.add(place)
      return true
    })
  return first.map(({ field, path: [argument, ...path] }) => {
    const input = field.args.find(({ name }) => name === argument)
    if (!input || argument !== 'input')
      throw new Error(`${field.name} has the argument ${argument}, which no write supports.`)
    const type = getNamedType(input.type) as GraphQLInputObjectType
    return {
      ...{ kind: kindOf(field.name), by: field.name },
      draw: (content, now) =>
        inputOf(field.name, type, path, content, now).map((input) => mutationAct(field.name, type.name, input)),
    }
  })
}

type Input = Readonly<Record<string, unknown>>

function inputOf(mutation: string, type: GraphQLInputObjectType, path: Path, content: Content, now: Date) {
  const kind = kindOf(mutation)
  const fields = type.getFields()
  const { object } = drawing(inputValues(content, kind, now))
  const some = object(type, path) as fc.Arbitrary<Input>
  const base: Record<string, fc.Arbitrary<unknown>> = {}
  if (fields.status && !path.includes('status')) base.status = fc.constant('PUBLISHED')
  if (fields.id && path[0] !== 'currentSlug') base.id = identities(mutation, kind, content)
  return fc.tuple(some, fc.record(base)).map(([own, beside]) => ({
    ...(mutation === 'createEvent' ? timesBeside(own, now) : {}),
    ...(mutation.startsWith('update')
      ? { ...own, ...(beside.id === undefined ? {} : { id: beside.id }) }
      : { ...own, ...beside }),
  }))
}

function identities(mutation: string, kind: WrittenKind, { ids, trashed }: Content): fc.Arbitrary<unknown> {
  if (mutation === 'updateEventSeries') return oneOf(ids.series).map(String)
  if (kind === 'user') return oneOf(ids.user)
  if (mutation.startsWith('restore') && (trashed[kind]?.length ?? 0) > 0) return oneOf(trashed[kind]).map(String)
  return oneOf(ids[kind]).map(String)
}

/** A new event needs a start and an end, each as an instant or as a wall clock. */
function timesBeside(own: Input, now: Date): Input {
  const later = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString()
  return {
    ...(own.startsAt || own.startsLocal ? {} : { startsAt: later(-4) }),
    ...(own.endsAt || own.endsLocal ? {} : { endsAt: later(4) }),
  }
}

function mutationAct(mutation: string, type: string, input: Input): Act {
  return {
    name: `${mutation}(input: ${JSON.stringify(input)})`,
    async run(_db, editor) {
      const query = `mutation ($input: ${type}!) { done: ${mutation}(input: $input) { userErrors { message } } }`
      const { body } = await editor.graphql(query, { input })
      return body.data?.done?.userErrors.length === 0
    },
  }
}

/** Writes of the REST API. */
export const restWrites: readonly Write[] = recordKinds.flatMap((kind): Write[] => {
  const plural = pluralOf[kind]
  const act = (method: 'POST' | 'PUT' | 'DELETE', path: string, fields: object): Act => ({
    name: `${method} ${path} ${JSON.stringify(fields)}`,
    run: async (_db, editor) => (await editor.send(method, `${ns}/${path}`, fields)).status < 300,
  })
  const named = (name: string) => ({ [nameField[plural]]: name })
  const by = (route: string, draw: Write['draw']): Write => ({ kind, by: route, draw })
  const isPost = postKinds.some((post) => post === kind)
  return [
    by(`POST /${plural}`, () => word.map((name) => act('POST', plural, newRecord(plural, name)))),
    by(`POST /${plural}/{id}`, ({ ids }) =>
      fc.tuple(oneOf(ids[kind]), word).map(([id, name]) => act('POST', `${plural}/${id}`, named(name))),
    ),
    by(`DELETE /${plural}/{id}`, ({ ids }) => oneOf(ids[kind]).map((id) => act('DELETE', `${plural}/${id}`, {}))),
    ...(isPost
      ? [
          by(`PUT /${plural}/by-slug/{slug}`, ({ open }) =>
            fc
              .tuple(oneOf(open[kind]), word)
              .map(([{ slug }, name]) => act('PUT', `${plural}/by-slug/${encodeURIComponent(slug)}`, named(name))),
          ),
        ]
      : []),
  ]
})

const statement = (
  kind: WrittenKind,
  by: string,
  sql: string,
  values: (content: Content, now: Date) => fc.Arbitrary<unknown[]>,
): Write => ({
  ...{ kind, by },
  draw: (content, now) =>
    values(content, now).map((args) => ({
      name: `${sql} ${JSON.stringify(args)}`,
      run: async (db) => (await db.$executeRawUnsafe(sql, ...args)) >= 0,
    })),
})

const third = oneOf([0, 1, 2])

/** SQL statements of another program that change many records at once. */
export const statements: readonly Write[] = [
  ...postKinds.flatMap((kind) => [
    statement(kind, kind, `UPDATE ${kind} SET password_key = $1 WHERE id % 3 = $2`, () =>
      fc.tuple(fc.constantFrom(null, 'key'), third),
    ),
    statement(kind, kind, `UPDATE ${kind} SET published_at = $1 WHERE id % 3 = $2`, (_known, now) =>
      fc.tuple(around(now, 6000), third),
    ),
    statement(kind, kind, `UPDATE ${kind} SET status = $1::status WHERE id % 3 = $2 AND status <> 'trash'`, () =>
      fc.tuple(oneOf(['publish', 'publish', 'draft']), third),
    ),
    statement(kind, kind, `UPDATE ${kind} SET image_id = $1, author_id = $2 WHERE id % 3 = $3`, ({ ids }) =>
      fc.tuple(oneOf(ids.image), oneOf(ids.user), third),
    ),
  ]),
  statement(
    'uncounted',
    'event',
    'UPDATE event SET hide_from_listings = NOT hide_from_listings WHERE id % 3 <> $1',
    () => fc.tuple(third),
  ),
  statement('uncounted', 'event', `UPDATE event SET starts_at = starts_at - interval '40 days' WHERE id % 3 = $1`, () =>
    fc.tuple(third),
  ),
  statement('uncounted', 'event', `UPDATE event SET ends_at = ends_at + interval '40 days' WHERE id % 3 = $1`, () =>
    fc.tuple(third),
  ),
  ...(['venue', 'organizer', 'category', 'tag'] as const).map((kind) =>
    statement('event', `content_${kind}`, `DELETE FROM content_${kind} WHERE ${kind}_id = $1`, ({ ids }) =>
      fc.tuple(oneOf(ids[kind])),
    ),
  ),
  statement('event', 'ticket', 'DELETE FROM content_ticket WHERE content_id % 3 = $1', () =>
    fc.tuple(oneOf([0, 1, 2])),
  ),
  statement('venue', 'venue', 'UPDATE venue SET latitude = $1, longitude = $2 WHERE id % 3 <> $3', () =>
    fc.tuple(oneOf(places), third).map(([{ latitude, longitude }, part]) => [latitude, longitude, part]),
  ),
  ...termKinds.map((kind) =>
    statement(kind, `${kind}_text`, `UPDATE ${kind}_text SET name = $1 WHERE ${kind}_id = $2`, ({ ids }) =>
      fc.tuple(word, oneOf(ids[kind])),
    ),
  ),
  statement('image', 'image', 'UPDATE image SET width = width + 1 WHERE id <> $1', ({ ids }) =>
    fc.tuple(oneOf(ids.image)),
  ),
  statement('image', 'image_text', 'UPDATE image_text SET caption = $1 WHERE image_id <> $2', ({ ids }) =>
    fc.tuple(word, oneOf(ids.image)),
  ),
  statement('user', 'user', 'UPDATE "user" SET name = $1 WHERE id = $2', ({ ids }) => fc.tuple(word, oneOf(ids.user))),
]
