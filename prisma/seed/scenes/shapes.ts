// SVG shapes from which the pictures of the sample records are composed.

export const [width, height] = [1200, 750]

/** Colors of a picture: the background, then three colors from dark to light. */
export type Palette = readonly [background: string, dark: string, middle: string, light: string]

/** Draws a picture: returns SVG elements of 1200 by 750 pixels. */
export type Scene = (palette: Palette, random: () => number) => string

export const range = (count: number) => Array.from({ length: count }, (_, index) => index)
export const rect = (x: number, y: number, w: number, h: number, fill: string, rest = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${rest}/>`
export const circle = (x: number, y: number, r: number, fill: string, rest = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${rest}/>`
export const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, rest = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${rest}/>`
export const path = (d: string, fill: string, rest = '') => `<path d="${d}" fill="${fill}" ${rest}/>`
export const stroke = (d: string, color: string, size: number) =>
  path(d, 'none', `stroke="${color}" stroke-width="${size}" stroke-linecap="round" stroke-linejoin="round"`)
export const turned = (content: string, degrees: number, x: number, y: number) =>
  `<g transform="rotate(${degrees} ${x} ${y})">${content}</g>`

/** Returns rows of waves from `top` down to the bottom of the picture. */
export const sea = (top: number, colors: readonly string[]) =>
  colors
    .map((color, index) => {
      const y = top + (index * (height - top)) / colors.length
      const crests = range(7).map((crest) => `q50 ${crest % 2 ? 34 : -34} 100 0t100 0`)
      return path(`M${-100 + index * 40} ${y}${crests.join('')}V${height}H-100z`, color)
    })
    .join('')
