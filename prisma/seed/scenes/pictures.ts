// The pictures of the sample records by name, as SVG.
import { createRandom } from '../random.ts'
import * as culture from './culture.ts'
import * as music from './music.ts'
import * as nature from './nature.ts'
import { height, type Palette, rect, type Scene, width } from './shapes.ts'
import * as town from './town.ts'

const palettes: readonly Palette[] = [
  ['#f3e3c3', '#1f3a4d', '#c8553d', '#f2b25c'],
  ['#12324a', '#0b1f30', '#e4572e', '#f7e0b5'],
  ['#dbe7e4', '#17494d', '#3f8f83', '#f6c85f'],
  ['#f7d9c4', '#4a2545', '#c0476b', '#fff3e2'],
  ['#28203f', '#150f26', '#7b5ea7', '#ffd166'],
  ['#e6ecf5', '#22396b', '#4d7cc3', '#f28f79'],
]

/** Index of the palette of a picture, where the palette by position would show the wrong time of day. */
const chosen: Readonly<Record<string, number>> = {
  stars: 4,
  saxophone: 1,
  lanterns: 4,
  puppets: 5,
  lighthouse: 1,
  quartet: 3,
  harbour: 0,
  kites: 5,
  chapel: 2,
  waves: 5,
  swimmer: 5,
  umbrellas: 0,
  seedlings: 2,
  cheese: 0,
  clouds: 5,
  piano: 0,
  tide: 3,
}

const { poster, ...instruments } = music
const scenes: Readonly<Record<string, Scene>> = { ...culture, ...instruments, ...nature, ...town }

const svg = (w: number, h: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}">${content}</svg>`

const paletteOf = (name: string, index: number) => palettes[chosen[name] ?? index % palettes.length] as Palette

export const pictures: Readonly<Record<string, string>> = Object.fromEntries([
  ...Object.entries(scenes).map(([name, scene], index) => {
    const palette = paletteOf(name, index)
    return [name, svg(width, height, rect(0, 0, width, height, palette[0]) + scene(palette, createRandom(index).next))]
  }),
  ['poster', svg(1000, 1400, poster(palettes[1] as Palette))],
])
