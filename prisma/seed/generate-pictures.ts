// Draws the pictures of the sample events, with the sizes that an upload gets: node prisma/seed/generate-pictures.ts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { createRandom } from '../../bench/random.ts'
import { checkImage, imagesRoot, saveImage } from '../../src/content/image/files.ts'
import { makeVersions, sizeRules } from '../../src/content/image/versions.ts'
import { saveVersions } from '../../src/content/image/write.ts'
import { drawScene, type Palette, scenesByCategory } from './generate/scenes.ts'

const palettes: readonly Palette[] = [
  ['#f3e3c3', '#1f3a4d', '#c8553d', '#f2b25c'],
  ['#12324a', '#0b1f30', '#e4572e', '#f7e0b5'],
  ['#dbe7e4', '#17494d', '#3f8f83', '#f6c85f'],
  ['#f7d9c4', '#4a2545', '#c0476b', '#fff3e2'],
  ['#28203f', '#150f26', '#7b5ea7', '#ffd166'],
  ['#e6ecf5', '#22396b', '#4d7cc3', '#f28f79'],
]

const folder = join(import.meta.dirname, 'pictures')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

async function draw(svg: string) {
  const bytes = await sharp(Buffer.from(svg)).resize(1024).webp({ quality: 80, effort: 6 }).toBuffer()
  const description = checkImage(bytes)
  if (typeof description === 'string') throw new Error(description)
  const { full, ...versions } = await makeVersions(bytes, description, {
    maxWaitMs: 60_000,
    maxTimeMs: 60_000,
    withSizes: true,
  })
  const { mimeType, width, height } = full
  const url = `${imagesRoot}/${await saveImage(folder, full.bytes, full.extension)}`
  const { sizes, alternates } = await saveVersions(folder, { ...versions })
  return { url, mimeType, width, height, fileSize: full.bytes.length, sizes, alternates, sizeRules }
}

const pictures: Record<string, unknown[]> = {}
let number = 0
for (const [category, scenes] of Object.entries(scenesByCategory)) {
  pictures[category] = []
  for (const scene of scenes) {
    const palette = palettes[number % palettes.length] as Palette
    pictures[category].push(await draw(drawScene(scene, palette, createRandom(number).next)))
    number += 1
  }
}
writeFileSync(join(folder, 'pictures.json'), `${JSON.stringify(pictures, undefined, 1)}\n`)
