// Pictures of instruments, dances and feasts.
import {
  circle,
  ellipse,
  height,
  type Palette,
  path,
  range,
  rect,
  type Scene,
  sea,
  stroke,
  turned,
  width,
} from './shapes.ts'

export const lanterns: Scene = ([, dark, middle, light]) => {
  const burst = (x: number, y: number, radius: number, color: string) =>
    range(14).map((index) => {
      const angle = (index / 14) * Math.PI * 2
      const [dx, dy] = [Math.cos(angle), Math.sin(angle)]
      return stroke(
        `M${x + dx * radius * 0.35} ${y + dy * radius * 0.35}L${x + dx * radius} ${y + dy * radius}`,
        color,
        12,
      )
    })
  const flags = range(12).map((index) => {
    const [x, y] = [30 + index * 98, 470 + Math.sin((index / 11) * Math.PI) * 80]
    return path(`M${x} ${y}h70l-35 80z`, [middle, light, dark][index % 3] ?? dark)
  })
  return [
    ...burst(280, 220, 150, light),
    ...burst(660, 170, 110, middle),
    ...burst(980, 250, 160, light),
    ...flags,
    rect(0, 690, width, 60, dark),
  ].join('')
}

export const piano: Scene = ([, dark, middle, light]) =>
  [
    ...range(5).map((line) => stroke(`M-20 ${110 + line * 46}q300 -60 620 0t620 -20`, middle, 5)),
    ...[190, 400, 640, 860].map(
      (x, index) =>
        ellipse(x, 240 - (index % 3) * 50, 30, 22, dark) +
        rect(x + 22, 90 - (index % 3) * 30, 8, 150 - (index % 3) * 20, dark),
    ),
    rect(0, 420, width, 330, dark),
    ...range(14).map((key) => rect(key * 86 + 3, 440, 80, 310, light, 'rx="8"')),
    ...[0, 1, 3, 4, 5, 7, 8, 10, 11, 12].map((key) => rect(key * 86 + 60, 440, 52, 190, dark, 'rx="6"')),
    rect(0, 420, width, 20, middle),
  ].join('')

const horn = (dark: string, light: string) =>
  stroke('M470 150q70 -10 80 50l60 320q30 130 150 90q100 -40 60 -190', dark, 58) +
  path('M760 450q20 -150 150 -180q20 130 -60 210z', dark) +
  stroke('M470 150l-90 -20', dark, 26) +
  [250, 310, 370, 430].map((y, index) => circle(585 + index * 11, y, 18, light)).join('')

export const saxophone: Scene = ([, dark, middle, light]) =>
  [
    circle(330, 300, 190, light),
    sea(560, [middle, dark]),
    horn(dark, light),
    stroke('M960 240q60 -60 20 -120M1010 270q110 -90 40 -200', middle, 12),
  ].join('')

export const guitar: Scene = ([, dark, middle, light]) =>
  turned(
    [
      rect(560, -120, 80, 460, dark),
      path(
        'M600 300c150 0 190 90 150 170c-20 50 60 90 60 170c0 130 -110 170 -210 170s-210 -40 -210 -170c0 -80 80 -120 60 -170c-40 -80 0 -170 150 -170z',
        middle,
      ),
      circle(600, 500, 78, dark),
      rect(500, 660, 200, 26, dark, 'rx="8"'),
      ...range(6).map((string) => rect(572 + string * 11, -120, 3, 790, light)),
    ].join(''),
    58,
    600,
    400,
  ) + circle(160, 140, 60, light)

export const accordion: Scene = ([, dark, middle, light]) =>
  [
    ...range(8).map((fold) =>
      path(`M${380 + fold * 56} 190l28 -40l28 40v360l-28 40l-28 -40z`, fold % 2 ? dark : middle),
    ),
    rect(170, 170, 210, 400, dark, 'rx="26"'),
    rect(828, 170, 210, 400, dark, 'rx="26"'),
    ...range(7).map((key) => rect(190, 200 + key * 50, 90, 40, light, 'rx="6"')),
    ...range(15).map((button) => circle(880 + (button % 3) * 54, 220 + Math.floor(button / 3) * 72, 17, light)),
    rect(0, 660, width, 90, middle),
    ...range(8).map((board) => rect(board * 155, 660, 8, 90, dark)),
  ].join('')

export const quartet: Scene = ([, dark, middle, light]) => {
  const violin = (x: number, y: number, size: number) =>
    `<g transform="translate(${x} ${y}) scale(${size})">${[
      rect(-9, -250, 18, 240, dark),
      path(
        'M0 -70c70 0 90 50 66 92c-12 22 34 44 34 98c0 70 -50 90 -100 90s-100 -20 -100 -90c0 -54 46 -76 34 -98c-24 -42 -4 -92 66 -92z',
        middle,
      ),
      stroke('M-40 30q-16 40 0 80M40 30q16 40 0 80', dark, 7),
      ...range(4).map((string) => rect(-7 + string * 4, -250, 1.5, 420, light)),
      circle(0, -255, 16, dark),
    ].join('')}</g>`
  const candle = (x: number) =>
    circle(x, 110, 70, light, 'opacity=".45"') +
    path(`M${x} 70q24 38 0 66q-24 -28 0 -66z`, light) +
    rect(x - 14, 140, 28, 90, light)
  return [
    ...[90, 1110].map(candle),
    violin(210, 420, 1),
    violin(450, 410, 1.05),
    violin(710, 400, 1.2),
    violin(990, 390, 1.5),
  ].join('')
}

export const dancers: Scene = ([, dark, middle, light]) => {
  const dancer = (x: number, fill: string, lean: number) =>
    turned(
      circle(x, 210, 44, fill) +
        stroke(
          `M${x} 260q-20 120 10 190l-70 190M${x + 10} 450l90 170M${x} 300q-90 20 -130 -90M${x} 300q100 10 150 -110`,
          fill,
          40,
        ),
      lean,
      x,
      450,
    )
  return [
    circle(600, 330, 290, light),
    dancer(330, dark, -8),
    dancer(620, middle, 4),
    dancer(900, dark, 12),
    rect(0, 660, width, 90, dark),
  ].join('')
}

export const kites: Scene = ([, dark, middle, light]) => {
  const kite = (x: number, y: number, size: number, first: string, second: string) =>
    path(`M${x} ${y - size}l${size * 0.7} ${size}l${-size * 0.7} ${size * 1.3}z`, first) +
    path(`M${x} ${y - size}l${-size * 0.7} ${size}l${size * 0.7} ${size * 1.3}z`, second) +
    stroke(`M${x} ${y + size * 1.3}q60 70 -10 130t10 ${height}`, dark, 4)
  return [
    stroke('M-40 180q300 -120 560 0t740 -40M-40 520q300 -100 560 0t740 -60', light, 16),
    kite(250, 250, 120, middle, dark),
    kite(600, 190, 95, light, middle),
    kite(930, 290, 150, dark, light),
    kite(440, 480, 70, light, dark),
    kite(760, 480, 60, middle, light),
  ].join('')
}

/** Returns the SVG elements of a poster, 1000 by 1400 pixels. */
export const poster = ([background, dark, middle, light]: Palette): string =>
  [
    rect(0, 0, 1000, 1400, background),
    circle(500, 560, 400, middle),
    circle(500, 560, 300, light),
    `<g transform="translate(-110 130) scale(1)">${horn(dark, background)}</g>`,
    ...range(4).map((wave) =>
      path(
        `M-100 ${900 + wave * 60}q75 -40 150 0t150 0t150 0t150 0t150 0t150 0t150 0t150 0V1400H-100z`,
        wave % 2 ? dark : middle,
      ),
    ),
    ...range(4).map((line) => rect(120, 1180 + line * 46, [760, 620, 700, 420][line] ?? 0, 20, light, 'rx="10"')),
    ...range(5).map((star) => circle(110 + star * 195, 90 + (star % 2) * 40, 16, light)),
  ].join('')
