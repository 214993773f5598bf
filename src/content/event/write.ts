// Creating and changing events.

import { may, requirePermission } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { findImage, imageIdOf } from '../image/write.ts'
import { checkAll } from '../lifecycle/input-errors.ts'
import { authorFor, checkParent, takeParentTurn } from '../lifecycle/linked-records.ts'
import { modification } from '../lifecycle/mutation.ts'
import { lockPost, reclaimSlugs, requirePostEdit } from '../lifecycle/post.ts'
import { firstStanding, nextStanding } from '../lifecycle/publication-state.ts'
import { storedPassword } from '../lifecycle/record-password.ts'
import { releaseSlugs } from '../text/slug.ts'
import { checkUrl, lineInput, textChange, textChanges, wellFormed, withoutUndefined } from '../text/text-input.ts'
import { writeFirstText, writeText } from '../text/write-text.ts'
import type { CreateEvent, UpdateEvent } from './inputs.ts'
import { checkTickets, findLinks, insertLinks, replaceLinks, replaceTickets } from './link.ts'
import { schedule } from './schedule.ts'

/** Drafts and what waits for approval have no slug until they are published, unless one is given (contract f.3). */
const slugRule = (status: string) =>
  status === 'draft' || status === 'pending' || status === 'trash' ? ('as given' as const) : ('from names' as const)

/** Creates an event for the viewer and returns its ID. */
export async function createEvent(tx: Tx, input: CreateEvent, context: Context): Promise<number> {
  const viewer = requirePermission(context.viewer, 'write')
  const { language, settings, site, now } = context
  const standing = firstStanding(input, viewer, now)
  const { changes, data, times, linked } = await checkAll({
    changes: () => eventTexts(input, standing.status, language, context),
    data: () => eventData(tx, input, undefined, context),
    times: () => schedule(input, undefined, settings),
    linked: () => findLinks(tx, undefined, input, context),
    tickets: () => checkTickets(input.tickets),
  })
  const { id } = await tx.event.create({
    data: {
      ...data.columns,
      ...times,
      ...standing,
      imageId: await imageIdOf(tx, data.image, context),
      passwordKey: await storedPassword(input.password, site),
      authorId: data.columns.authorId ?? viewer.id,
      trashedFrom: standing.status === 'trash' ? 'draft' : null,
      modifiedAt: now,
      originalLanguage: language,
    },
    select: { id: true },
  })
  await replaceTickets(tx, id, input.tickets)
  const source = { id, original: language, own: new Map() }
  const writing = { id, changes, slugs: slugRule(standing.status) }
  await writeFirstText(tx, 'event', source, writing, settings, insertLinks(id, linked))
  if (standing.status === 'trash') await releaseSlugs(tx, 'event', id)
  return id
}

/** Changes what is given, and nothing else. */
export async function updateEvent(tx: Tx, input: UpdateEvent, context: Context): Promise<number> {
  const { settings, site, now } = context
  if (input.parentId != null) await takeParentTurn(tx)
  const id = await lockPost(tx, 'event', input, context)
  const before = await tx.event.findUniqueOrThrow({ where: { id } })
  const viewer = requirePostEdit('event', before, input, context)
  const standing = nextStanding(input, before, viewer, now)
  const trashing = standing.status === 'trash' && before.status !== 'trash'
  const { startsLocal, endsLocal, startsAt, endsAt, timeZone, allDay } = input
  const isMoved = [startsLocal, endsLocal, startsAt, endsAt, timeZone, allDay].some((part) => part != null)
  const { changes, data, times, linked } = await checkAll({
    changes: () => eventTexts(input, standing.status, before.originalLanguage, context),
    data: () => eventData(tx, input, before, context),
    times: () => (isMoved ? schedule(input, before, settings) : {}),
    linked: () => findLinks(tx, id, input, context),
    tickets: () => checkTickets(input.tickets),
  })
  await tx.event.update({
    where: { id },
    data: {
      ...data.columns,
      ...times,
      ...standing,
      imageId: await imageIdOf(tx, data.image, context),
      passwordKey: await storedPassword(input.password, site),
      modifiedAt: modification(before.modifiedAt, now),
      trashedFrom: trashing ? before.status : null,
    },
  })
  await replaceLinks(tx, id, linked, context)
  await replaceTickets(tx, id, input.tickets)
  const taken = before.status === 'trash' ? await reclaimSlugs(tx, 'event', id) : new Map<string, string>()
  for (const [other, slug] of taken) changes.set(other, { slug, ...withoutUndefined(changes.get(other)) })
  await writeText(tx, 'event', { id, changes, slugs: slugRule(standing.status) }, settings)
  if (trashing) await releaseSlugs(tx, 'event', id)
  return id
}

/** A slug that somebody who may not publish asks for would be taken before anybody approved it (contract f.3). */
async function eventTexts(
  input: CreateEvent | UpdateEvent,
  status: string,
  original: string,
  { viewer, language, settings: { languages } }: Context,
) {
  const change = () => textChange('title', input.title, input)
  const changes = await textChanges({ language, original, languages }, change, input.translations)
  if (status !== 'pending' || may(viewer, 'publish')) return changes
  return new Map([...changes].map(([other, text]) => [other, { ...text, slug: undefined }] as const))
}

type Before = { readonly id: number; readonly parentId: number | null }

async function eventData(tx: Tx, input: CreateEvent | UpdateEvent, before: Before | undefined, context: Context) {
  const { viewer } = context
  const checked = await checkAll({
    parent: () => checkParent(tx, input.parentId, before, context),
    authorId: () => viewer && authorFor(tx, input.authorId, viewer),
    website: () => (input.website === null ? null : checkUrl('website', input.website)),
    image: () => findImage(tx, input, context),
  })
  const { showMap, showMapLink, hideFromListings, sticky, featured } = input
  const columns = {
    authorId: checked.authorId,
    cost: input.cost?.flatMap((entry) => lineInput(entry) || []),
    website: checked.website,
    showMap: showMap ?? undefined,
    showMapLink: showMapLink ?? undefined,
    hideFromListings: hideFromListings ?? undefined,
    sticky: sticky ?? undefined,
    featured: featured ?? undefined,
    parentId: input.parentId,
    customFields: input.customFields == null ? undefined : (wellFormed(input.customFields) as Prisma.InputJsonValue),
  }
  return { columns, image: checked.image }
}
