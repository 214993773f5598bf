import { badInputError } from '../../basics/errors.ts'
import { checkAll, checkEachItem } from '../../basics/input-errors.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { authorIdOf, may, requirePermission } from '../../service/auth/permissions.ts'
import type { Context } from '../../service/context.ts'
import { ensureImageRow, resolveImageInput } from '../image/storage/write.ts'
import { checkParent, resolveAuthor } from '../lifecycle/linked-records.ts'
import { type ImportedValues, nextModifiedAt } from '../lifecycle/modified-at.ts'
import { requirePostEdit, writeChangedPostTexts } from '../lifecycle/post.ts'
import { initialPublicationState, nextPublicationState } from '../lifecycle/publication-state.ts'
import { passwordColumnValue } from '../rules/record-password.ts'
import { releaseSlugs } from '../text/slug.ts'
import { checkUrl, parseTexts, readLineInput, toWellFormed } from '../text/text-input.ts'
import { writeNewRecordTexts } from '../text/write-text.ts'
import type { CreateEventValues, UpdateEventValues } from './inputs.ts'
import { insertEventLinksSql, replaceEventLinks, resolveEventLinks } from './links.ts'
import { computeSchedule } from './schedule.ts'
import { checkOnlineUrl, computeStateColumns } from './state.ts'
import { checkUid, nextSequence, replaceTakenUidSql, throwIfUidTaken } from './uid.ts'

/** Drafts and pending events get no slug before they are published, unless the input sets a slug (contract f.3). */
export const slugSource = (status: string) =>
  status === 'draft' || status === 'pending' || status === 'trash' ? ('explicit' as const) : ('derived' as const)

export async function createEvent(
  tx: Tx,
  input: CreateEventValues,
  context: Context,
  imported: ImportedValues = {},
): Promise<number> {
  const viewer = requirePermission(context.viewer, 'write')
  const { language, settings, site, now } = context
  const state = initialPublicationState(input, viewer, now)
  const times = () => computeSchedule(input, undefined, settings)
  const { changes, columns, links } = await prepareEvent(tx, input, { status: state.status, times }, context)
  const { id } = await throwIfUidTaken(
    tx.event.create({
      data: {
        ...columns,
        ...state,
        id: imported.recordId,
        authorId: columns.authorId ?? authorIdOf(viewer),
        trashedFrom: state.status === 'trash' ? 'draft' : null,
        modifiedAt: imported.modifiedAt ?? now,
        originalLanguage: language,
      },
      select: { id: true },
    }),
  )
  await replaceTickets(tx, id, input.tickets)
  const source = { id, original: language, own: new Map() }
  const writing = { id, changes, slugs: slugSource(state.status) }
  const uid = columns.uid == null ? [replaceTakenUidSql(id, site)] : []
  await writeNewRecordTexts(tx, 'event', source, writing, settings, [...uid, ...insertEventLinksSql(id, links)])
  if (state.status === 'trash') await releaseSlugs(tx, 'event', id)
  return id
}

/** Updates an event that is locked, and not a date of a series. */
export async function updateEvent(
  tx: Tx,
  before: PreviousEvent,
  input: UpdateEventValues,
  context: Context,
): Promise<number> {
  const { settings, now, importing } = context
  const { id } = before
  const viewer = await requirePostEdit(tx, 'event', before, input, context)
  const state = nextPublicationState(input, before, viewer, now)
  const trashing = state.status === 'trash' && before.status !== 'trash'
  const { startsLocal, endsLocal, startsAt, endsAt, timeZone, allDay } = input
  const isRescheduled = [startsLocal, endsLocal, startsAt, endsAt, timeZone, allDay].some((part) => part != null)
  const times = () => (isRescheduled ? computeSchedule(input, before, settings) : {})
  const { changes, columns, links } = await prepareEvent(tx, input, { before, status: state.status, times }, context)
  await throwIfUidTaken(
    tx.event.update({
      where: { id },
      data: {
        ...columns,
        ...state,
        modifiedAt: nextModifiedAt(before.modifiedAt, now, importing),
        trashedFrom: trashing ? before.status : null,
        ...(state.status !== 'draft' && { reviewMessage: null }),
      },
    }),
  )
  await replaceEventLinks(tx, id, links, context)
  await replaceTickets(tx, id, input.tickets)
  await writeChangedPostTexts(tx, 'event', { before, changes, slugs: slugSource(state.status), trashing }, settings)
  return id
}

type EventInput = Omit<CreateEventValues | UpdateEventValues, 'startsLocal' | 'endsLocal'>

/** Checks an input, finds or creates its linked records and its image, and returns the columns, links and texts to store. */
export async function prepareEvent<Times extends { readonly startsAt?: Date }>(
  tx: Tx,
  input: EventInput,
  {
    before,
    status,
    times,
  }: { readonly before?: PreviousEvent; readonly status: string; times(): Times | Promise<Times> },
  context: Context,
) {
  const { changes, data, checkedTimes, links } = await checkAll({
    changes: () => eventTexts(input, status, before?.originalLanguage ?? context.language, context),
    data: () => eventData(tx, input, before, context),
    checkedTimes: times,
    links: () => resolveEventLinks(tx, before?.id, input, context),
    tickets: () => checkTickets(input.tickets),
  })
  const imageId = await ensureImageRow(tx, data.image, context)
  const passwordKey = await passwordColumnValue(input.password, context.site)
  const state = computeStateColumns(input, before, checkedTimes.startsAt)
  return { changes, links, columns: { ...data.columns, ...checkedTimes, ...state, imageId, passwordKey } }
}

/** Ignores the slug for pending events of users who may not publish: it would be reserved without approval (contract f.3). */
async function eventTexts(input: EventInput, status: string, original: string, { viewer, language }: Context) {
  const changes = await parseTexts({ ...input, name: input.title }, original, language, { nameField: 'title' })
  if (status !== 'pending' || may(viewer, 'publish')) return changes
  return new Map([...changes].map(([other, text]) => [other, { ...text, slug: undefined }] as const))
}

type PreviousEvent = Prisma.EventGetPayload<object>

async function eventData(tx: Tx, input: EventInput, before: PreviousEvent | undefined, context: Context) {
  const { viewer } = context
  const { image, ...checked } = await checkAll({
    parentId: () => checkParent(tx, input.parentId, before, context),
    authorId: () => viewer && resolveAuthor(tx, input.authorId, viewer),
    website: () => (input.website === null ? null : checkUrl('website', input.website)),
    onlineUrl: () => checkOnlineUrl(input.onlineUrl),
    uid: () => checkUid(tx, input.uid, before?.id, context),
    sequence: () => nextSequence(input.sequence, before?.sequence),
    image: () => resolveImageInput(tx, input, context),
  })
  const { showMap, showMapLink, hideFromListings, sticky, featured } = input
  const columns = {
    ...checked,
    cost: input.cost?.flatMap((entry) => readLineInput(entry) || []),
    showMap: showMap ?? undefined,
    showMapLink: showMapLink ?? undefined,
    hideFromListings: hideFromListings ?? undefined,
    sticky: sticky ?? undefined,
    featured: featured ?? undefined,
    customFields: input.customFields == null ? undefined : (toWellFormed(input.customFields) as Prisma.InputJsonValue),
  }
  return { columns, image }
}

export type Tickets = UpdateEventValues['tickets']

const checkTickets = (tickets: Tickets) =>
  checkEachItem('tickets', tickets ?? [], (ticket) => {
    const errors = {
      ...(!/^\d{1,10}(\.\d{1,2})?$/.test(ticket.price) && { price: 'price must be a decimal number such as 12.50.' }),
      ...(!/^[A-Z]{3}$/.test(ticket.currency) && { currency: 'currency must be an ISO 4217 code such as EUR.' }),
      ...((ticket.capacity ?? 0) < 0 && { capacity: 'capacity must be 0 or more.' }),
    }
    if (Object.keys(errors).length > 0) throw badInputError(errors)
  })

export async function replaceTickets(tx: Tx, contentId: number, tickets: Tickets): Promise<void> {
  if (tickets == null) return
  await tx.contentTicket.deleteMany({ where: { contentId } })
  await tx.contentTicket.createMany({ data: tickets.map((ticket, position) => ({ ...ticket, contentId, position })) })
}
