// The identity of an event in iCalendar files: UID and SEQUENCE (RFC 5545).

import { badInputError, uidTakenError } from '../../basics/errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { may } from '../../service/auth/permissions.ts'
import type { Context, Site } from '../../service/context.ts'
import { builder, type InputFields } from '../../service/graphql/builder.ts'
import { recordResolver } from '../../service/graphql/record-resolver.ts'
import { Event } from './type.ts'

type Host = Pick<Site, 'uidHost'>

/** The UID of an event without a stored UID. */
const derivedUid = (id: number, { uidHost }: Host): string => `${id}@${uidHost}`

export const uidOf = ({ id, uid }: { readonly id: number; readonly uid: string | null }, site: Host): string =>
  uid ?? derivedUid(id, site)

export const randomUid = ({ uidHost }: Host): string => `${crypto.randomUUID()}@${uidHost}`

/** The ID of the event whose derived UID this is; undefined for other UIDs. */
function idOfDerivedUid(uid: string, site: Host): number | undefined {
  const [, digits] = /^([1-9]\d{0,9})@/.exec(uid) ?? []
  const id = Number(digits)
  return id <= maxId && uid === derivedUid(id, site) ? id : undefined
}

const maxId = 2 ** 31 - 1

/** Maximum of characters. RFC 7986 recommends 255 octets, but some producers write more. A B-tree entry has at most 2,704 bytes. */
const maxUidLength = 500

/** Maximum of SEQUENCE, far below the largest integer of the database, so that updates can always increment it. */
const maxSequence = 1_000_000_000

builder.prismaObjectFields(Event, (t) => ({
  uid: t.string({
    description:
      'UID of the event in iCalendar files. Unique among all events, and unchanged unless an update sets another UID; by default `{databaseId}@{host}` with the host of the first PUBLIC_URL.',
    select: { id: true, uid: true },
    resolve: recordResolver((event, { site }) => uidOf(event, site)),
  }),
  sequence: t.exposeInt('sequence', {
    description: 'Revision number (SEQUENCE) in iCalendar files. Each update of the event increments the number.',
  }),
}))

export const uidInputFields = (t: InputFields) => ({
  uid: t.string({
    description: `UID in iCalendar files, unique among all events, with at most ${maxUidLength} characters. Null or an empty text: the default UID.`,
  }),
  sequence: t.int({
    description:
      'Revision number in iCalendar files, at most 1000000000. By default 0, and incremented by each update.',
  }),
})

export function uidsFilter(uids: readonly string[], site: Host): Prisma.EventWhereInput {
  const ids = uids.flatMap((uid) => idOfDerivedUid(uid, site) ?? [])
  return {
    OR: [
      // Without the first condition, the negation of this filter is NULL for events without a UID of their own.
      { AND: [{ uid: { not: null } }, { uid: { in: uids.map((uid) => uid.toWellFormed().replaceAll('\0', '')) } }] },
      { uid: null, id: { in: ids } },
    ],
  }
}

/** Returns the UID to store: undefined leaves it, null selects the derived UID. `id` is undefined for a new event. */
export async function checkUid(
  tx: Tx,
  input: string | null | undefined,
  id: number | undefined,
  { site, viewer }: Pick<Context, 'site' | 'viewer'>,
): Promise<string | null | undefined> {
  if (input === undefined) return undefined
  const uid = input?.trim() || null
  if (uid !== null && /[\p{Cc}\p{Cs}]/u.test(uid)) {
    throw badInputError({ uid: 'uid must not contain control characters, such as line breaks.' })
  }
  if (uid !== null && uid.length > maxUidLength) {
    throw badInputError({ uid: `uid can have at most ${maxUidLength} characters.` })
  }
  const next = uid ?? (id === undefined ? undefined : derivedUid(id, site))
  if (next === undefined) return uid
  const where = { AND: [uidsFilter([next], site), id === undefined ? {} : { id: { not: id } }] }
  const other = await tx.event.findFirst({ where, select: { id: true } })
  if (other) throw uidTakenError(may(viewer, 'editOthers') ? other.id : undefined)
  // The columns of the filter are also columns of series.
  const ofOther = {
    AND: [uidsFilter([next], site) as Prisma.SeriesWhereInput, id === undefined ? {} : { events: { none: { id } } }],
  }
  if ((await tx.series.count({ where: ofOther })) > 0) throw uidTakenError()
  return uid
}

/** Gives a new event a random UID if an import has stored its derived UID with another event. A part of a WITH clause. */
export const replaceTakenUidSql = (id: number, site: Host): Prisma.Sql => Prisma.sql`
  own_uid AS (
    UPDATE event SET uid = ${randomUid(site)}
    WHERE id = ${id}::int AND EXISTS (SELECT FROM event WHERE uid = ${derivedUid(id, site)}))`

/** Throws uidTakenError if another event or series has the UID. */
export const throwIfUidTaken = <T>(writing: Promise<T>): Promise<T> =>
  writing.catch((error: unknown) => {
    const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
    throw isTaken ? uidTakenError() : error
  })

/** Returns the sequence to store, by default one more than before. Throws badInputError for an invalid sequence. */
export function nextSequence(input: number | null | undefined, before: number | undefined): number {
  if (input == null) return before === undefined ? 0 : before + 1
  if (input >= 0 && input <= maxSequence) return input
  throw badInputError({ sequence: `sequence must be a whole number from 0 to ${maxSequence}.` })
}
