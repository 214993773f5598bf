// Artwork in place of a picture: tiles of simple shapes in the colors of a category. The same seed gives the same tiles.
import { memo } from 'react'

const size = 100

/** Pseudo-random numbers between 0 and 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Paths in a square of 100, before they are rotated. */
const shapes = [
  'M0 0h100a100 100 0 0 1-100 100z',
  'M0 0h100a100 100 0 0 1-100 100z',
  'M0 50a50 50 0 0 1 100 0z M0 100a50 50 0 0 1 100 0z',
  'M50 0a50 50 0 1 1 0 100a50 50 0 1 1 0-100z',
  'M0 0a100 100 0 0 1 100 100a100 100 0 0 1-100-100z',
  'M0 0h100l-100 100z',
  'M0 0h100v20h-100z M0 40h100v20h-100z M0 80h100v20h-100z',
  'M50 0l50 50l-50 50l-50-50z',
  'M0 0h50v50h-50z M50 50h50v50h-50z',
  '',
] as const

const grounds = ['var(--hue-a)', 'var(--hue-b)', 'var(--hue-c)'] as const

interface Props {
  readonly seed: number
  /** Selects the colors. */
  readonly hue: number
  readonly columns?: number
  readonly rows?: number
}

export const hueClass = (hue: number): string => `hue-${Math.abs(hue) % 8}`

export const Artwork = memo(function Artwork({ seed, hue, columns = 4, rows = 3 }: Props) {
  const random = randomNumbers(seed * 7919 + 17)
  const pick = <T,>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const tiles = Array.from({ length: columns * rows }, (_, index) => {
    const ground = pick(grounds)
    const fill = pick(grounds.filter((color) => color !== ground))
    const [x, y] = [(index % columns) * size, Math.floor(index / columns) * size]
    return { x, y, ground, fill, shape: pick(shapes), turn: Math.floor(random() * 4) * 90 }
  })
  return (
    <svg
      className={`artwork ${hueClass(hue)}`}
      viewBox={`0 0 ${columns * size} ${rows * size}`}
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      {tiles.map(({ x, y, ground, fill, shape, turn }) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
          <rect width={size} height={size} shapeRendering="crispEdges" style={{ fill: ground }} />
          {shape && (
            <path d={shape} style={{ fill }} transform={`rotate(${turn} 50 50) translate(-0.5 -0.5) scale(1.01)`} />
          )}
        </g>
      ))}
    </svg>
  )
})
