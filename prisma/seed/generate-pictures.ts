// Writes the pictures of the sample records, with the sizes of an uploaded image: node prisma/seed/generate-pictures.ts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { checkImage, imagesPath, saveImage } from '../../src/calendar/image/storage/files.ts'
import { makeImageVersions, sizeRulesVersion } from '../../src/calendar/image/storage/versions.ts'
import { saveVersions } from '../../src/calendar/image/storage/write.ts'
import { pictures } from './scenes/pictures.ts'

const folder = join(import.meta.dirname, 'pictures')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

async function draw(svg: string) {
  const bytes = await sharp(Buffer.from(svg)).resize(1024).webp({ quality: 75, effort: 6 }).toBuffer()
  const description = checkImage(bytes)
  if (typeof description === 'string') throw new Error(description)
  const { full, ...versions } = await makeImageVersions(bytes, description, {
    maxWaitMs: 60_000,
    maxTimeMs: 60_000,
    withSizes: true,
  })
  const { mimeType, width, height } = full
  const url = `${imagesPath}/${await saveImage(folder, full.bytes, full.extension)}`
  const { sizes, alternates } = await saveVersions(folder, { ...versions })
  return { url, mimeType, width, height, fileSize: full.bytes.length, sizes, alternates, sizeRules: sizeRulesVersion }
}

const drawn: Record<string, unknown> = {}
for (const [name, svg] of Object.entries(pictures)) drawn[name] = await draw(svg)
writeFileSync(join(folder, 'pictures.json'), `${JSON.stringify(drawn, undefined, 1)}\n`)
