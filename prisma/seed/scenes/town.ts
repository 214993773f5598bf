// Pictures of the town, the market and courses.
import { circle, ellipse, height, path, range, rect, type Scene, stroke, width } from './shapes.ts'

export const stalls: Scene = ([, dark, middle, light]) => {
  const stall = (x: number) => {
    const awning = range(5).map((index) =>
      path(`M${x + index * 64} 260h64v90a32 32 0 0 1 -64 0z`, index % 2 ? light : dark),
    )
    const goods = range(4).map((index) => circle(x + 50 + index * 74, 520, 32, index % 2 ? light : dark))
    return [
      rect(x + 10, 340, 12, 350, dark),
      rect(x + 298, 340, 12, 350, dark),
      ...goods,
      rect(x, 540, 320, 150, middle),
      ...awning,
    ].join('')
  }
  return circle(600, 120, 70, light) + [60, 440, 820].map(stall).join('') + rect(0, 690, width, 60, dark)
}

export const tiles: Scene = ([, dark, middle, light], random) => {
  const size = 150
  const tile = (x: number, y: number) => {
    const [first, second] = random() < 0.5 ? [dark, light] : [middle, light]
    const shapes = [
      rect(x, y, size, size, first) + circle(x + size / 2, y + size / 2, size / 3, second),
      rect(x, y, size, size, second) + path(`M${x} ${y}h${size}L${x} ${y + size}z`, first),
      path(`M${x} ${y}a${size} ${size} 0 0 1 ${size} ${size}h-${size}z`, first),
      rect(x, y, size, size, first) + rect(x + size / 4, y + size / 4, size / 2, size / 2, second),
    ]
    return shapes[Math.floor(random() * shapes.length)] ?? ''
  }
  return range(40)
    .map((index) => tile((index % 8) * size, Math.floor(index / 8) * size))
    .join('')
}

export const balloons: Scene = ([, dark, middle, light], random) =>
  range(9)
    .map((index) => {
      const [x, y] = [110 + index * 122, 140 + random() * 260]
      const fill = [dark, middle, light][index % 3] ?? dark
      return (
        stroke(`M${x} ${y + 95}q30 120 -10 ${height - y}`, dark, 3) +
        `<ellipse cx="${x}" cy="${y}" rx="74" ry="92" fill="${fill}"/>` +
        path(`M${x - 12} ${y + 104}l12 -18l12 18z`, fill)
      )
    })
    .join('')

export const chapel: Scene = ([, dark, middle, light]) =>
  [
    circle(960, 170, 90, light),
    path('M0 560q300 -90 620 -10t580 -40v240H0z', middle),
    path('M360 690V330l240 -170l240 170v360z', light),
    path('M330 350l270 -200l270 200l-30 30l-240 -178l-240 178z', dark),
    path('M540 690V520a60 60 0 0 1 120 0v170z', dark),
    path('M520 200v-90a80 80 0 0 1 160 0v90z', light),
    circle(600, 130, 34, dark),
    circle(600, 370, 46, middle),
    stroke('M600 40v-50M580 10h40', dark, 10),
    rect(0, 690, width, 60, dark),
  ].join('')

export const umbrellas: Scene = ([, dark, middle, light]) => {
  const umbrella = (x: number, y: number, first: string, second: string) =>
    rect(x - 6, y, 12, 280, dark) +
    range(4)
      .map((part) => path(`M${x} ${y - 90}L${x - 160 + part * 80} ${y + 20}h80z`, part % 2 ? second : first))
      .join('')
  const table = (x: number, fill: string) =>
    rect(x - 130, 590, 260, 24, fill) +
    circle(x - 80, 560, 30, middle) +
    rect(x - 30, 530, 46, 60, dark) +
    circle(x + 70, 566, 24, light)
  return [
    ...[200, 600, 1000].map(
      (x, index) => umbrella(x, 320 - (index % 2) * 60, index % 2 ? middle : dark, light) + table(x, dark),
    ),
    rect(0, 670, width, 80, middle),
  ].join('')
}

export const pot: Scene = ([, dark, middle, light]) =>
  [
    ...[430, 600, 770].map((x) => stroke(`M${x} 240q-50 -60 0 -110t0 -110`, light, 20)),
    ellipse(600, 330, 300, 70, middle),
    path('M300 330v190q0 150 300 150t300 -150V330q0 70 -300 70t-300 -70z', dark),
    stroke('M300 400h-80M900 400h80', dark, 34),
    ...[430, 540, 660, 760].map((x, index) => circle(x, 325 + (index % 2) * 18, 30, index % 2 ? light : dark)),
    stroke('M690 330L890 90', light, 26),
    rect(0, 690, width, 60, middle),
  ].join('')

export const cheese: Scene = ([, dark, middle, light]) => {
  const wheel = (x: number, y: number, size: number) =>
    rect(x - size, y, size * 2, size * 0.7, middle) +
    ellipse(x, y + size * 0.7, size, size * 0.32, middle) +
    ellipse(x, y, size, size * 0.32, light) +
    stroke(`M${x} ${y}l${size * 0.7} ${size * 0.2}M${x} ${y}l${size * 0.9} ${-size * 0.08}`, dark, 6)
  return [
    wheel(380, 430, 250),
    wheel(380, 250, 190),
    path('M720 590l380 -210v210z', light),
    path('M720 590h380v80H720z', middle),
    circle(980, 520, 34, dark),
    circle(1050, 470, 20, dark),
    circle(890, 560, 18, dark),
    rect(0, 670, width, 80, dark),
  ].join('')
}

export const seedlings: Scene = ([, dark, middle, light]) => {
  const plant = (x: number, size: number) =>
    stroke(`M${x} 600q10 ${-size / 2} 0 ${-size}`, dark, 14) +
    path(
      `M${x} ${600 - size}q-${size * 0.6} -10 -${size * 0.6} -${size * 0.5}q${size * 0.6} 0 ${size * 0.6} ${size * 0.5}z`,
      middle,
    ) +
    path(
      `M${x} ${600 - size}q${size * 0.6} -20 ${size * 0.6} -${size * 0.6}q-${size * 0.6} 0 -${size * 0.6} ${size * 0.6}z`,
      light,
    )
  return [
    circle(1010, 160, 80, light),
    ...range(5).map((index) => plant(150 + index * 225, 120 + ((index * 67) % 150))),
    rect(0, 600, width, 150, dark),
    ...range(16).map((seed) => ellipse(40 + seed * 76, 660 + (seed % 3) * 24, 16, 9, seed % 2 ? light : middle)),
  ].join('')
}

export const camera: Scene = ([, dark, middle, light]) =>
  [
    rect(300, 60, 600, 640, dark, 'rx="60"'),
    rect(340, 110, 520, 480, light),
    path('M340 470l150 -150l120 110l90 -80l160 150v90H340z', middle),
    circle(730, 230, 56, middle),
    ...[340, 760].map((x) => stroke(`M${x + 50} 140h-20v60M${x + 50} 560h-20v-60`, dark, 8)),
    circle(600, 645, 34, light),
  ].join('')

export const yoga: Scene = ([, dark, middle, light]) =>
  [
    circle(600, 330, 280, light),
    circle(600, 210, 62, dark),
    path('M540 290q60 -20 120 0l30 190q90 10 190 80q20 50 -50 50H370q-70 0 -50 -50q100 -70 190 -80z', dark),
    stroke('M545 320q-90 110 -170 210M655 320q90 110 170 210', dark, 38),
    rect(220, 620, 760, 40, middle, 'rx="20"'),
    ...[120, 1080].map((x) =>
      stroke(`M${x} 660q-30 -160 10 -300M${x} 520q60 -30 80 -100M${x} 560q-70 -20 -90 -90`, middle, 16),
    ),
  ].join('')
