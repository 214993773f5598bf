// Real events and records with unusual values, which an export must not lose.
import { createHash } from 'node:crypto'
import { loadRealEvents } from '../../bench/real-events/load.ts'
import { saveImage } from '../../src/calendar/image/storage/files.ts'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { rebuildServedTexts } from '../../src/calendar/text/text-rows.ts'
import { storeSamplePictures } from '../../src/tools/sample/town.ts'
import { now, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import type { TestUser } from '../helpers/users.ts'

export const password = 'sésame'
/** A valid image file of one pixel. */
export const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
export const pixelName = `${createHash('sha256').update(pixel).digest('base64url')}.gif`

/**
 * Creates the real events, or only one of `every` such number, and the unusual records with this user as their author. Returns
 * the ID of the first unusual one.
 */
export async function makeUnusualRecords(
  { db, site, settings }: TestApp,
  { id: authorId }: TestUser,
  every = 1,
): Promise<number> {
  await db.$transaction((tx) => loadRealEvents(tx, settings, now, every))
  const key = await hashRecordPassword(password, site.passwordSalt)
  await storeSamplePictures(settings.imagesDir)
  await saveImage(settings.imagesDir, pixel, 'gif')
  const { id: imageId } = await db.image.create({
    data: { url: `/images/${pixelName}`, mimeType: 'image/gif', width: 1, height: 1, fileSize: pixel.length, authorId },
  })
  const venue = await makeVenue(
    db,
    { fr: { name: 'Salle \u2028 “cachée”\n', description: '<p>É\\n\t"</p>' } },
    { passwordKey: key, latitude: -0.1 - 0.2, longitude: 179.99999999999997, authorId, imageId },
  )
  const organizer = await makeOrganizer(db, 'Trash', { status: 'trash', trashedFrom: 'private', authorId })
  const parent = await makeCategory(db, { es: 'Música', fr: { name: 'Musique', description: '' } })
  const category = await makeCategory(db, '日本語', parent)
  const tag = await makeTag(db, { en: { name: 'Tag', slug: 'other' } })
  await db.importedRecord.create({
    data: {
      ...{ site: 'https://legacy.example', kind: 'tag', sourceId: 5_000_000_000n, sourceIds: { fr: 5_000_000_001 } },
      ...{ recordId: tag, recordVersion: '', digest: '', isComplete: false, sourceModifiedAt: new Date(1) },
    },
  })
  // The parent is created after the child.
  const child = await makeEvent(db, { en: { name: 'Child', slug: '' } }, { status: 'draft', authorId })
  const links = { venueIds: [venue], organizerIds: [organizer], categoryIds: [category, parent], tagIds: [tag] }
  const tickets = {
    create: [
      { position: 0, name: 'Seat', price: '9999999999.99', currency: 'EUR', capacity: 2147483647 },
      { position: 1, name: 'Free', price: 0, currency: 'USD', salesStart: now, salesEnd: now },
    ],
  }
  const customFields = [
    { key: 'n', label: '', value: 1e-7 },
    { key: 'o', label: '"', value: { deep: [null, 0.1, -0, 1e21, '\u2029\\'] } },
  ]
  const texts = { fr: { name: 'Fête', excerpt: '', description: '' }, es: { description: '<p>Sólo</p>' } }
  const event = await makeEvent(db, texts, {
    ...links,
    tickets,
    customFields,
    authorId,
    imageId,
    cost: ['', '5 €, "x"'],
  })
  await db.event.update({ where: { id: child }, data: { parentId: event } })
  await db.category.update({ where: { id: parent }, data: { parentId: null } })
  await makeEvent(
    db,
    { en: { name: 'Far', description: 'Opened' } },
    { start: '9999-12-31T20:00:00', ...links, passwordKey: key, publishedAt: new Date(1) },
  )
  await makeEvent(db, 'Old', { start: '0099-03-01T00:00:00', timeZone: 'UTC+5:30', categoryIds: [parent], website: '' })
  await makeEvent(db, 'Moved', {
    ...{ eventStatus: 'rescheduled', attendanceMode: 'mixed', onlineUrl: 'https://example.org/?a="b"' },
    previousStartsAt: new Date('0001-01-01T00:00:00Z'),
    ...{ uid: 'kept "é"@example.org', sequence: 12 },
  })
  await makeEvent(db, 'Hidden', { hideFromListings: true, status: 'private', authorId, tagIds: [tag] })
  await makeEvent(db, 'Trashed', { status: 'trash', trashedFrom: 'publish', tagIds: [tag], sticky: true })
  await makeEvent(db, 'Later', { status: 'future', publishedAt: new Date(now.getTime() + 1), allDay: true })
  await db.$transaction((tx) => rebuildServedTexts(tx, settings))
  return imageId
}
