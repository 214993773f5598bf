// Pictures of theatre, exhibitions, books and cinema.
import { circle, path, range, rect, type Scene, stroke, turned, width } from './shapes.ts'

export const curtain: Scene = ([, dark, middle, light]) => {
  const folds = (x: number, direction: number) =>
    range(5).map((index) =>
      path(
        `M${x + direction * index * 62} 0q${direction * 90} 380 ${direction * -10} 750h${direction * 80}q${direction * 40} -400 ${direction * -20} -750z`,
        index % 2 ? dark : middle,
      ),
    )
  return [
    path('M600 -40L330 640h540z', light, 'opacity=".55"'),
    `<ellipse cx="600" cy="640" rx="290" ry="60" fill="${light}"/>`,
    rect(0, 660, width, 90, dark),
    ...folds(0, 1),
    ...folds(width, -1),
    rect(0, 0, width, 70, dark),
  ].join('')
}

export const frames: Scene = ([, dark, middle, light]) => {
  const frame = (x: number, y: number, w: number, h: number, content: string) =>
    rect(x, y, w, h, dark) + rect(x + 18, y + 18, w - 36, h - 36, light) + content
  return [
    rect(0, 610, width, 140, middle),
    frame(110, 130, 300, 380, circle(260, 280, 80, middle) + path('M128 492l110 -120l80 70l74 -90v140z', dark)),
    frame(470, 90, 280, 280, rect(540, 160, 70, 140, middle) + circle(650, 230, 50, dark)),
    frame(810, 170, 280, 340, path('M828 492l130 -240l114 240z', middle) + circle(1000, 250, 40, dark)),
    frame(470, 410, 280, 130, rect(500, 455, 220, 14, middle) + rect(500, 485, 150, 14, dark)),
  ].join('')
}

export const projector: Scene = ([, dark, middle, light]) => {
  const holes = range(16).map(
    (index) =>
      rect(20 + index * 76, 640, 40, 28, light, 'rx="6"') + rect(20 + index * 76, 702, 40, 28, light, 'rx="6"'),
  )
  return [
    path('M210 330L1200 60v520z', light, 'opacity=".8"'),
    rect(60, 260, 190, 150, dark, 'rx="18"'),
    circle(110, 210, 62, middle),
    circle(220, 200, 48, middle),
    circle(110, 210, 18, light),
    circle(220, 200, 14, light),
    rect(0, 620, width, 130, dark),
    ...holes,
  ].join('')
}

export const books: Scene = ([, dark, middle, light], random) => {
  const shelf = (y: number) => {
    const spines: string[] = []
    for (let x = 60; x < 1090; ) {
      const [w, h] = [38 + Math.floor(random() * 46), 170 + Math.floor(random() * 90)]
      const fill = [dark, middle, light][Math.floor(random() * 3)] ?? dark
      spines.push(rect(x, y - h, w, h, fill) + rect(x + 8, y - h + 26, w - 16, 10, fill === light ? dark : light))
      x += w + (random() < 0.15 ? 60 : 4)
    }
    return spines.join('') + rect(30, y, 1140, 20, dark)
  }
  return shelf(350) + shelf(680)
}

export const bubbles: Scene = ([, dark, middle, light]) => {
  const bubble = (x: number, y: number, w: number, h: number, fill: string, tail: number) =>
    rect(x, y, w, h, fill, 'rx="60"') + path(`M${x + w / 2 - 40} ${y + h - 4}h90l${tail} 90z`, fill)
  const lines = (x: number, y: number, lengths: readonly number[], fill: string) =>
    lengths.map((length, index) => rect(x, y + index * 48, length, 18, fill, 'rx="9"')).join('')
  return [
    bubble(90, 90, 560, 300, dark, -120),
    lines(160, 160, [420, 340, 380], light),
    bubble(560, 300, 540, 280, middle, 120),
    lines(640, 370, [380, 300, 340], light),
    circle(240, 600, 60, light),
    circle(980, 180, 44, light),
  ].join('')
}

export const storybook: Scene = ([, dark, middle, light]) =>
  [
    circle(950, 150, 70, light),
    path('M600 620C480 540 300 540 120 590V250C300 200 480 200 600 290z', light),
    path('M600 620C720 540 900 540 1080 590V250C900 200 720 200 600 290z', middle),
    path(
      'M120 590C300 540 480 540 600 620C720 540 900 540 1080 590V640C900 600 720 600 600 680C480 600 300 600 120 640z',
      dark,
    ),
    path('M230 430q90 -110 220 -40l70 -50q10 70 -50 90q-60 100 -170 70q-60 -20 -70 -70z', dark),
    circle(290, 415, 9, light),
    ...range(4).map((line) => rect(690, 330 + line * 55, line === 3 ? 180 : 300, 14, dark, 'rx="7"')),
    stroke('M330 350q-20 -60 20 -90M350 350q30 -50 70 -50', middle, 9),
  ].join('')

export const screen: Scene = ([, dark, middle, light]) => {
  const head = (x: number, y: number, fill: string) =>
    rect(x, y, 230, 190, dark) +
    circle(x + 115, y + 80, 44, fill) +
    path(`M${x + 35} ${y + 190}q0 -62 80 -62t80 62z`, fill)
  return [
    rect(160, 90, 880, 530, dark, 'rx="30"'),
    rect(190, 120, 820, 470, middle),
    ...range(6).map((index) => head(215 + (index % 3) * 270, 140 + Math.floor(index / 3) * 225, light)),
    path('M80 660h1040l-40 50H120z', dark),
  ].join('')
}

export const puppets: Scene = ([, dark, middle, light]) =>
  [
    rect(120, 60, 960, 30, dark),
    circle(820, 250, 130, light),
    circle(780, 215, 22, middle),
    circle(870, 285, 30, middle),
    ...[300, 360, 430, 500].map((x, index) =>
      stroke(`M${x} 90L${330 + index * 50} ${430 - (index % 2) * 40}`, dark, 4),
    ),
    path('M270 480a140 100 0 0 1 280 0q0 90 -140 90t-140 -90z', middle),
    stroke('M280 520l-70 40l-20 -60M290 550l-60 70M540 520l70 40l20 -60M530 550l60 70', middle, 20),
    circle(365, 400, 22, dark),
    circle(455, 400, 22, dark),
    stroke('M370 440v30M450 440v30', middle, 14),
    path('M180 470q-60 -80 20 -110q-10 50 40 60zM640 470q60 -80 -20 -110q10 50 -40 60z', middle),
    rect(60, 650, 1080, 100, dark),
  ].join('')

export const masks: Scene = ([, dark, middle, light]) => {
  const mask = (x: number, y: number, fill: string, mouth: string) =>
    path(`M${x} ${y}q170 -60 340 0v200q-20 190 -170 230q-150 -40 -170 -230z`, fill) +
    path(`M${x + 60} ${y + 120}q45 -50 90 0q-45 40 -90 0zM${x + 190} ${y + 120}q45 -50 90 0q-45 40 -90 0z`, dark) +
    path(mouth, dark)
  return [
    ...range(9).map((index) =>
      path(`M600 400L${-200 + index * 200} -60h90z`, index % 2 ? dark : middle, 'opacity=".25"'),
    ),
    turned(mask(200, 180, light, 'M270 410q100 80 200 0q-20 110 -100 110t-100 -110z'), -9, 370, 380),
    turned(mask(660, 220, middle, 'M740 530q90 -120 180 0q-90 -50 -180 0z'), 10, 830, 420),
  ].join('')
}

export const microphone: Scene = ([, dark, middle, light]) =>
  [
    path('M600 -60L180 760h840z', light, 'opacity=".6"'),
    ...range(5).map((index) =>
      circle(600, 300, 160 + index * 75, 'none', `stroke="${middle}" stroke-width="10" opacity=".7"`),
    ),
    rect(520, 150, 160, 260, dark, 'rx="80"'),
    ...range(4).map((line) => rect(520, 205 + line * 45, 160, 10, light)),
    stroke('M470 330q0 150 130 150t130 -150M600 480v190M480 690h240', dark, 22),
  ].join('')

export const tide: Scene = ([, dark, middle, light], random) => {
  const print = (x: number, y: number, w: number, h: number) =>
    rect(x, y, w, h, dark) +
    rect(x + 14, y + 14, w - 28, h - 28, light) +
    path(
      `M${x + 14} ${y + h * 0.6}q${w / 4} ${-30 - random() * 40} ${w / 2} 0t${w / 2 - 28} 0V${y + h - 14}H${x + 14}z`,
      middle,
    ) +
    circle(x + w * (0.3 + random() * 0.4), y + h * 0.32, 18 + random() * 16, dark)
  return [
    rect(0, 620, width, 130, middle),
    stroke('M0 60h1200', dark, 8),
    ...range(4).map(
      (index) =>
        stroke(`M${200 + index * 270} 60v70`, dark, 4) + print(95 + index * 270, 130, 210, index % 2 ? 380 : 300),
    ),
  ].join('')
}
