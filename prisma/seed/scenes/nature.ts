// Pictures of the sea, the mountains and the sky.
import { circle, height, path, range, rect, type Scene, sea, stroke, turned, width } from './shapes.ts'

export const hills: Scene = ([, dark, middle, light], random) => {
  const tree = (x: number, y: number, size: number) =>
    rect(x - 5, y, 10, size * 0.8, dark) +
    path(`M${x} ${y - size * 1.6}l${size * 0.6} ${size * 1.8}h-${size * 1.2}z`, dark)
  return [
    circle(890, 220, 110, light),
    path('M0 470Q300 250 620 440T1200 360V750H0z', light, 'opacity=".7"'),
    path('M0 560Q260 400 560 540T1200 480V750H0z', middle),
    path('M0 690Q340 520 700 640T1200 600V750H0z', dark),
    ...range(7).map((index) => tree(90 + index * 160, 560 + random() * 50, 46 + random() * 24)),
  ].join('')
}

export const track: Scene = ([, dark, middle, light]) =>
  range(6)
    .map((index) =>
      stroke(
        `M-60 ${180 + index * 110}C380 ${20 + index * 100} 620 ${520 + index * 60} 1260 ${90 + index * 120}`,
        [dark, middle, light][index % 3] ?? dark,
        58,
      ),
    )
    .join('') +
  circle(905, 180, 74, light) +
  circle(905, 180, 48, dark)

export const saltpans: Scene = ([, dark, middle, light]) => {
  const row = (index: number) => {
    const [top, bottom] = [300 + index * index * 26, 300 + (index + 1) * (index + 1) * 26 - 10]
    return range(7).map((cell) => {
      const x = (y: number, at: number) => 600 + (at - 3.5) * (150 + (y - 300) * 0.9)
      return path(
        `M${x(top, cell) + 6} ${top}L${x(top, cell + 1) - 6} ${top}L${x(bottom, cell + 1) - 8} ${bottom}L${x(bottom, cell) + 8} ${bottom}z`,
        (cell + index) % 3 ? light : middle,
      )
    })
  }
  return [
    circle(250, 150, 80, light),
    path('M820 290V120l60 -50l60 50v170z', dark),
    stroke('M880 110L760 20M880 110l120 -90M880 110l-100 100M880 110l110 110', dark, 12),
    rect(0, 285, width, 465, dark),
    ...range(4).flatMap(row),
  ].join('')
}

export const stars: Scene = ([, dark, middle, light], random) =>
  [
    ...range(90).map(() => circle(random() * width, random() * 520, 1.5 + random() * 4, light)),
    path('M-40 420Q400 60 1240 40V130Q520 160 -40 540z', light, 'opacity=".14"'),
    path('M0 560Q300 470 620 560T1200 520V750H0z', middle),
    path('M0 670Q400 560 800 650T1200 640V750H0z', dark),
    turned(rect(520, 430, 240, 60, dark, 'rx="10"') + rect(740, 418, 60, 84, dark, 'rx="8"'), -38, 640, 460),
    stroke('M630 480l-70 170M640 480v180M650 480l80 160', dark, 14),
  ].join('')

export const swimmer: Scene = ([, dark, middle, light]) =>
  [
    circle(930, 160, 90, light),
    sea(330, [middle]),
    circle(520, 380, 56, dark),
    stroke('M580 410q120 -180 250 -60M430 420q-140 -10 -240 60', dark, 46),
    sea(430, [light, middle, dark]),
    ...[180, 1040].map((x) => circle(x, 400, 34, light) + rect(x - 4, 330, 8, 60, dark)),
  ].join('')

export const waves: Scene = ([, dark, middle, light]) =>
  [
    circle(300, 190, 110, light),
    sea(290, [light, middle, dark, middle, dark]),
    path('M700 750q40 -190 190 -200t310 120v80z', dark),
  ].join('')

export const harbour: Scene = ([, dark, middle, light]) => {
  const boat = (x: number, y: number, size: number, sail: string) =>
    path(`M${x - size} ${y}h${size * 2}l${-size * 0.4} ${size * 0.5}h${-size * 1.2}z`, dark) +
    path(`M${x} ${y - 12}V${y - size * 1.7}q${size} ${size * 0.8} ${size * 0.8} ${size * 1.6}z`, sail) +
    path(`M${x - 10} ${y - 12}V${y - size * 1.4}q${-size * 0.7} ${size * 0.7} ${-size * 0.7} ${size * 1.3}z`, light)
  const houses = range(9).map((house) => {
    const [x, h] = [house * 134, 110 + ((house * 53) % 90)]
    return (
      rect(x, 420 - h, 128, h, [light, middle, dark][house % 3] ?? dark) +
      rect(x + 48, 440 - h, 30, 40, house % 3 === 2 ? light : dark)
    )
  })
  return [
    ...houses,
    rect(0, 420, width, 24, dark),
    sea(460, [middle]),
    boat(300, 560, 110, middle),
    boat(840, 600, 140, light),
    sea(650, [dark]),
  ].join('')
}

export const clouds: Scene = ([, dark, middle, light]) => {
  const bank = (y: number, fill: string, shift: number) =>
    range(9)
      .map((puff) => circle(shift + puff * 150, y + (puff % 2) * 30, 95 + ((puff * 37) % 40), fill))
      .join('') + rect(0, y, width, height - y, fill)
  return [
    circle(880, 190, 100, light),
    path('M120 750L480 190l120 150l90 -110l420 520z', dark),
    bank(500, middle, -20),
    bank(630, light, 40),
  ].join('')
}

export const volcano: Scene = ([, dark, middle, light]) =>
  [
    ...range(4).map((puff) => circle(600 + puff * 46, 150 - puff * 44, 60 + puff * 16, middle, 'opacity=".6"')),
    path('M60 620L480 210q120 50 240 0l420 410z', dark),
    path('M480 210q120 50 240 0l-50 90l-40 -30l-30 130l-50 -150l-30 50z', light),
    rect(0, 610, width, 140, light),
    stroke('M0 680h260l30 -50l40 100l50 -120l50 150l40 -90l30 10h180l30 -30l40 60l40 -30h410', dark, 9),
  ].join('')

export const lighthouse: Scene = ([, dark, middle, light]) =>
  [
    path('M640 190L1240 40v230L640 215z', light, 'opacity=".8"'),
    path('M560 190L-40 90v200L560 215z', light, 'opacity=".5"'),
    path('M540 640l30 -390h60l30 390z', light),
    ...[330, 460, 590].map((y, index) =>
      path(`M${563 - index * 10} ${y}h${74 + index * 20}l4 50h${-82 - index * 20}z`, middle),
    ),
    rect(555, 170, 90, 80, dark),
    path('M540 170l60 -60l60 60z', dark),
    circle(600, 208, 22, light),
    path('M330 660q120 -90 270 -60t300 60z', dark),
    sea(650, [middle, dark]),
  ].join('')
