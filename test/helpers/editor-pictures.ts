import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { holdUpload } from './editor.ts'

/** A file for the field of an upload. */
export const pictureFile = async (name: string, { background = '#246', width = 600, height = 400 } = {}) => ({
  ...{ name, mimeType: 'image/png' },
  buffer: await sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer(),
})

/** Chooses a picture in a form. Its upload has begun, and waits until `release` is called. */
export async function holdPicture(page: Page, name: string) {
  const upload = await holdUpload(page)
  await page.getByLabel('Upload a picture').setInputFiles(await pictureFile(name))
  await upload.started
  return upload
}
