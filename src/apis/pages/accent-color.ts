// Colours derived from SITE_ACCENT_COLOR. By the contrast formula of WCAG 2, text has at least 4.5 to 1 on every background.

type Rgb = readonly [red: number, green: number, blue: number]

const minContrast = 4.5
const [black, white]: readonly [Rgb, Rgb] = [
  [0, 0, 0],
  [255, 255, 255],
]

/** Background colours of the style sheet in light and dark mode. */
const grounds = { light: parse('#f8f7f4'), dark: parse('#14161a') }
const cards = { light: white, dark: parse('#1d2025') }

/** Returns CSS custom properties with the colours that the style sheet derives from SITE_ACCENT_COLOR. */
export function accentColorCss(accentColor: string): string {
  const brand = parse(accentColor)
  const washes = { light: mix(grounds.light, brand, 0.08), dark: mix(grounds.dark, brand, 0.2) }
  const accents = {
    light: readable(brand, [washes.light], black),
    dark: readable(brightest(brand), [cards.dark, washes.dark], white),
  }
  const onBrand = contrast(brand, white) >= minContrast ? white : black
  const both = ({ light, dark }: Record<'light' | 'dark', Rgb>) => `light-dark(${format(light)}, ${format(dark)})`
  return `:root {
  --ground: ${both(grounds)};
  --card: ${both(cards)};
  --brand: ${format(brand)};
  --on-brand: ${format(onBrand)};
  --accent: ${both(accents)};
  --wash: ${both(washes)};
}
`
}

/** The first colour between `color` and `toward` that is readable on the backgrounds. */
function readable(color: Rgb, backgrounds: readonly Rgb[], toward: Rgb): Rgb {
  const shades = Array.from({ length: 51 }, (_, step) => mix(color, toward, step / 50))
  const isReadable = (shade: Rgb) => backgrounds.every((background) => contrast(shade, background) >= minContrast)
  return shades.find(isReadable) ?? toward
}

function brightest(color: Rgb): Rgb {
  const max = Math.max(...color)
  return max === 0 ? white : mix(black, color, 255 / max)
}

/** Returns the contrast ratio of two colours, from 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(color: Rgb, other: Rgb, share: number): Rgb {
  const [red, green, blue] = color.map((value, index) => Math.round(value + ((other[index] ?? 0) - value) * share))
  return [red ?? 0, green ?? 0, blue ?? 0]
}

function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const format = (color: Rgb): string => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`
