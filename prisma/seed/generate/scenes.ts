// Draws the pictures of the sample events as SVG, from plain shapes.

const [width, height] = [1200, 750]

/** Background, then three colors from dark to light. */
export type Palette = readonly [background: string, dark: string, middle: string, light: string]

type Scene = (palette: Palette, random: () => number) => string

const range = (count: number) => Array.from({ length: count }, (_, index) => index)
const rect = (x: number, y: number, w: number, h: number, fill: string, rest = '') =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${rest}/>`
const circle = (x: number, y: number, r: number, fill: string, rest = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${rest}/>`
const path = (d: string, fill: string, rest = '') => `<path d="${d}" fill="${fill}" ${rest}/>`
const stroke = (d: string, color: string, size: number) =>
  path(d, 'none', `stroke="${color}" stroke-width="${size}" stroke-linecap="round"`)

const arches: Scene = ([, dark, middle, light]) => {
  const arch = (x: number, top: number, w: number, fill: string) =>
    path(`M${x} ${height}V${top + w / 2}a${w / 2} ${w / 2} 0 0 1 ${w} 0V${height}z`, fill)
  const bays = range(4).map((index) => {
    const x = 90 + index * 270
    return arch(x, 300, 210, light) + arch(x + 35, 345, 140, dark) + rect(x + 35, 560, 140, 14, middle)
  })
  return circle(880, 190, 120, light) + rect(0, 250, width, 500, middle) + rect(0, 225, width, 40, dark) + bays.join('')
}

const skyline: Scene = ([, dark, middle, light], random) => {
  const row = (base: number, fill: string, count: number) =>
    range(count).map((index) => {
      const [w, h] = [width / count, base + random() * 190]
      const x = index * w
      const roof =
        random() < 0.5
          ? path(`M${x} ${height - h}l${w / 2} -70l${w / 2} 70z`, fill)
          : circle(x + w / 2, height - h, w / 3, fill)
      return rect(x, height - h, w + 1, h, fill) + (index % 2 === 0 ? roof : '')
    })
  const windows = range(28).map(() =>
    rect(30 + Math.floor(random() * 38) * 30, 480 + Math.floor(random() * 6) * 42, 14, 22, light),
  )
  return [circle(260, 210, 110, light), ...row(300, middle, 8), ...row(140, dark, 6), ...windows].join('')
}

const rings: Scene = ([, dark, middle, light], random) => {
  const arcs = range(7).map((index) => circle(150, 750, 720 - index * 95, [dark, middle, light][index % 3] ?? dark))
  const bars = range(9).map((index) => {
    const h = 90 + random() * 360
    return rect(720 + index * 48, 620 - h, 28, h, index % 2 ? light : dark, 'rx="14"')
  })
  return arcs.join('') + bars.join('')
}

const stage: Scene = ([, dark, middle, light]) => {
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

const frames: Scene = ([, dark, middle, light]) => {
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

const panels: Scene = ([, dark, middle, light]) => {
  const dots = range(70).map((index) =>
    circle(90 + (index % 10) * 44, 110 + Math.floor(index / 10) * 40, 4 + (index % 10) * 1.4, dark),
  )
  const burst = range(24).map((index) => {
    const [angle, radius] = [(index / 24) * Math.PI * 2, index % 2 ? 100 : 165]
    return `${870 + Math.cos(angle) * radius},${230 + Math.sin(angle) * radius}`
  })
  return [
    rect(60, 70, 500, 320, light),
    ...dots,
    rect(600, 70, 540, 320, middle),
    `<polygon points="${burst.join(' ')}" fill="${light}"/>`,
    rect(60, 430, 720, 260, dark),
    path(
      'M150 480h420a40 40 0 0 1 40 40v60a40 40 0 0 1 -40 40h-240l-70 50l10 -50h-120a40 40 0 0 1 -40 -40v-60a40 40 0 0 1 40 -40z',
      light,
    ),
    rect(820, 430, 320, 260, light),
    circle(980, 560, 80, middle),
  ].join('')
}

const beam: Scene = ([, dark, middle, light]) => {
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

const books: Scene = ([, dark, middle, light], random) => {
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

const bubbles: Scene = ([, dark, middle, light]) => {
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

const tiles: Scene = ([, dark, middle, light], random) => {
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

const balloons: Scene = ([, dark, middle, light], random) =>
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

const track: Scene = ([, dark, middle, light]) =>
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

const hills: Scene = ([, dark, middle, light], random) => {
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

const lights: Scene = ([, dark, middle, light]) => {
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

const stalls: Scene = ([, dark, middle, light]) => {
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

/** The scenes for the events of a category, by its English name. */
export const scenesByCategory: Readonly<Record<string, readonly Scene[]>> = {
  Music: [rings],
  Concerts: [rings, lights],
  'Performing arts': [stage, lights],
  Theatre: [stage],
  Dance: [track, stage],
  Exhibitions: [frames, tiles],
  Cinema: [beam],
  Comics: [panels, panels, books],
  Heritage: [arches, skyline, arches, hills],
  Workshops: [tiles],
  Talks: [bubbles, bubbles],
  Books: [books],
  Children: [balloons],
  Sport: [track],
  Nature: [hills],
  Festivals: [lights],
  Markets: [stalls],
}

export const drawScene = (scene: Scene, palette: Palette, random: () => number): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rect(0, 0, width, height, palette[0])}${scene(palette, random)}</svg>`
