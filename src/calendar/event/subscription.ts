import { createHash } from 'node:crypto'
import type { GraphQLResolveInfo } from 'graphql'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { type ChangeEvent, WatchedRecords } from '../../service/graphql/subscriptions/watched-records.ts'
import { postDatabaseIdField } from '../fields/fields.ts'
import { findRecordsByIds } from '../list/records.ts'
import { enumValues } from '../rules/enums.ts'
import { globalId } from '../rules/identify.ts'
import { lockedFilter } from '../rules/record-password.ts'
import { readableFilter } from '../rules/status.ts'
import { EventFilter, toEventSelection } from './filter.ts'
import { Event } from './type.ts'

const EventChangeType = builder.enumType('EventChangeType', {
  description: 'How an event changed for the subscriber.',
  values: enumValues({
    created:
      'The event matches the filter now and did not before: the event is new, was published or restored, or now meets the criteria.',
    updated: 'The event matched the filter before and still does: its fields, texts, links or tickets changed.',
    deleted:
      'The event matched the filter before and no longer does: the event was deleted, trashed, unpublished or hidden, or no longer meets the criteria.',
  }),
})

const EventChange = builder.objectRef<ChangeEvent>('EventChange').implement({
  description: 'A change to an event.',
  fields: (t) => ({
    type: t.expose('type', { type: EventChangeType, description: 'How the event changed.' }),
    eventId: t.id({ description: 'Global ID of the event.', resolve: ({ id }) => globalId('event', id) }),
    databaseId: t.exposeInt('id', postDatabaseIdField),
    event: t.field({
      type: Event,
      nullable: true,
      description: 'The event after the change; null for DELETED, and if you may no longer read the event.',
      resolve: (change, _args, context, info) => (change.type === 'deleted' ? null : eventOf(change, context, info)),
    }),
  }),
})

builder.subscriptionFields((t) => ({
  eventChanged: t.field({
    type: EventChange,
    description:
      'Changes to events that the list `events` with this filter shows. Several changes to one event in quick succession may arrive as a single change.',
    args: { filter: t.arg({ type: EventFilter, description: 'Selects the events, as in the list `events`.' }) },
    subscribe: (_root, { filter }) =>
      new WatchedRecords({
        kind: 'event',
        criteria: JSON.stringify(filter ?? null),
        matching: async (context, ids) => {
          const { where } = await toEventSelection(filter ?? {}, context, { isExact: true })
          const among = ids ? { AND: [{ id: { in: [...ids] } }, where] } : where
          const [rows, locked] = await Promise.all([
            context.reads.event.findMany({ where: among, select: { id: true } }),
            lockedVersions(among, context),
          ])
          return { ids: rows.map(({ id }) => id), locked }
        },
      }),
    resolve: (change: ChangeEvent) => change,
  }),
}))

/** Returns a digest of the visible fields of each locked event, by ID. */
async function lockedVersions(where: Prisma.EventWhereInput, context: Context): Promise<ReadonlyMap<number, string>> {
  const locked = lockedFilter(context)
  if (!locked) return new Map()
  const rows = await context.reads.event.findMany({
    where: { AND: [{ passwordKey: { not: null } }, locked, where] },
    select: {
      id: true,
      modifiedAt: true,
      // These columns also change without a new modification date, for example by an import, or when an author is deleted.
      ...{ authorId: true, parentId: true, status: true, publishedAt: true, uid: true, sequence: true },
      ...{ startsAt: true, endsAt: true, timeZone: true, previousStartsAt: true },
      ...{ eventStatus: true, attendanceMode: true },
      texts: { select: { language: true, name: true, slug: true }, orderBy: { language: 'asc' } },
    },
  })
  return new Map(rows.map((row) => [row.id, createHash('sha1').update(JSON.stringify(row)).digest('base64')]))
}

/** Reads the event of a change. One statement reads the events of all changes that were found together. */
async function eventOf({ batch: { ids, reads }, id }: ChangeEvent, context: Context, info: GraphQLResolveInfo) {
  const key = String(info.path.key)
  const reading =
    reads.get(key) ?? findRecordsByIds(context, 'event', buildSelection(context, info), ids, readableFilter(context))
  reads.set(key, reading)
  return ((await reading).get(id) as { readonly id: number } | undefined) ?? null
}
