// Webhooks and passwords for programs.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectAccessible } from '../../helpers/browser.ts'
import { truncate } from '../../helpers/db.ts'
import { type Editor, openEditor } from '../../helpers/editor.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../helpers/webhook-receiver.ts'

let editor: Editor
let receiver: WebhookReceiver

beforeAll(async () => {
  editor = await openEditor({ WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' })
  receiver = await startWebhookReceiver()
})
beforeEach(async () => {
  await truncate(editor.app.db)
  receiver.received.length = 0
})
afterAll(async () => {
  receiver?.close()
  await editor?.close()
})

test('a webhook is created, tested, paused and deleted', async () => {
  const { page } = await editor.open('/webhooks')
  await page.getByText('There is no webhook yet.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address').fill('no address')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('This must be a public address that begins with').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Address').fill(receiver.url)
  await page.getByLabel('Venues').check()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Secret of the webhook' }).waitFor()
  expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Venues · What visitors see').waitFor()

  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The other program accepted the test').waitFor()
  expect(receiver.received).toHaveLength(1)
  await page.getByRole('button', { name: 'Last messages' }).click()
  await page.getByText('The last 1 of 1 messages of 30 days.').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  expect(await editor.app.db.webhook.findFirst()).toMatchObject({ enabled: false })
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('There is no webhook yet.').waitFor()
})

test('failed messages are sent again', async () => {
  const { page } = await editor.open('/webhooks')
  const { db } = editor.app
  const webhook = await db.webhook.create({ data: { url: receiver.url, language: 'en', secrets: [], token: '' } })
  const data = { webhookId: webhook.id, kind: 'event', recordId: 7, type: 'updated' } as const
  const failed = { ...data, state: 'failed', tries: 10, lastStatus: 500 } as const
  await db.webhookDelivery.createMany({
    data: [7, 8].map((recordId) => ({ ...failed, recordId, data: { databaseId: recordId } })),
  })
  await page.reload()
  await page.getByRole('button', { name: 'Last messages' }).click()
  await page.getByText('Event 7: changed').waitFor()
  await page.getByRole('button', { name: 'Send again: Event 7: changed' }).click()
  await page.getByText('Messages that are sent again: 1.').waitFor()
  await page.getByRole('button', { name: 'Send all failed ones again' }).click()
  await expect.poll(() => db.webhookDelivery.count({ where: { state: 'pending' } })).toBe(2)
})

test('everybody has passwords for programs', async () => {
  const { page, complaints } = await editor.open('/credentials', { role: 'contributor' })
  await page.getByRole('button', { name: 'New password for a program' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The name must have 1 to 200 characters.').waitFor()
  await page.getByLabel('Program', { exact: true }).fill('Town website')
  await page.getByLabel('What the program asks for').selectOption('Token (Bearer)')
  await page.getByRole('button', { name: 'Create' }).click()
  const secret = await page.getByLabel('Password or token').inputValue()
  await expectAccessible(page)
  const { body } = await editor.app.graphql('{ viewer { role } }', {}, '', { authorization: `Bearer ${secret}` })
  expect(body.data.viewer.role).toBe('CONTRIBUTOR')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Revoke: Town website' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Town website can no longer sign in.').waitFor()
  expect(await editor.app.db.credential.findFirst({ where: { name: 'Town website' } })).toMatchObject({
    revokedAt: expect.any(Date),
  })
  expect(complaints).toEqual([])
})

test('webhooks speak French, and are for administrators', async () => {
  const { page } = await editor.open('/webhooks', { locale: 'fr-FR' })
  await page.getByText('Il n’y a pas encore de webhook.').waitFor()
  await page.getByRole('button', { name: 'Nouveau webhook' }).click()
  await page.getByLabel('Ce qu’il peut voir').waitFor()
  const { page: other } = await editor.open('/webhooks', { role: 'editor' })
  await other.getByRole('heading', { name: 'Nothing is here' }).waitFor()
})
