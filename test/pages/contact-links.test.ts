// Links to telephone numbers and e-mail addresses, which people enter as any text.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeOrganizer } from '../helpers/make.ts'

let app: TestApp
let id: number
beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  id = await makeOrganizer(app.db, 'Club')
})
afterAll(() => app?.close())

async function linkOf(contact: { phone: string } | { email: string }) {
  await app.db.organizer.update({ where: { id }, data: contact })
  const { body } = await app.get('/organizer/club/')
  expect(decodeHTML(body)).toContain(`>${Object.values(contact)[0]}<`)
  const [, link] = /href="((?:tel|mailto):[^"]*)"/.exec(body) ?? []
  await app.db.organizer.update({ where: { id }, data: { phone: '', email: '' } })
  return link && decodeHTML(link)
}

test.each([
  ['+33 1 23 45 67 89', 'tel:+33123456789'],
  ['+33 (0)1 23 45 67 89', 'tel:+33123456789'],
  ['Tél. : 01.23.45.67.89', 'tel:0123456789'],
  ['030/123456', 'tel:030123456'],
  ['(212) 555-0100 ext. 12', 'tel:2125550100;ext=12'],
  ['01 23 45 67 89 / 06 12 34 56 78', undefined],
  ['0800 FLOWERS', undefined],
  ['ask at the door', undefined],
  ['+', undefined],
  ['1+1 555', undefined],
])('the telephone number %j has the link %s', async (phone, link) => {
  expect(await linkOf({ phone })).toBe(link)
})

test.each([
  ['ada@example.org', 'mailto:ada@example.org'],
  ['ada+news@example.org', 'mailto:ada+news@example.org'],
  ['a?b&c=d%#"@example.org', 'mailto:a%3Fb%26c%3Dd%25%23%22@example.org'],
  ['a,b@example.org', 'mailto:a%2Cb@example.org'],
  ['ada@exämple.org', 'mailto:ada@ex%C3%A4mple.org'],
  ['ask at the door', undefined],
  ['@ada', undefined],
])('the e-mail address %j has the link %s', async (email, link) => {
  expect(await linkOf({ email })).toBe(link)
})
