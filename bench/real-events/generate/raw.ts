// Accessors for source data whose fields may be missing or have another type.

export type Row = Record<string, unknown>

export const at = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Row | null | undefined)?.[key], row)

export const str = (row: unknown, path: string): string =>
  [at(row, path)].find((value) => typeof value === 'string') ?? ''

export const num = (row: unknown, path: string): number | undefined =>
  [at(row, path)].find((value) => typeof value === 'number')

export const rows = (row: unknown, path: string): unknown[] =>
  [at(row, path)].find((value) => Array.isArray(value)) ?? []

export const web = (items: unknown[]): string | undefined =>
  items.map((item) => `${item ?? ''}`.trim()).find((item) => /^https?:\/\//i.test(item) && URL.canParse(item))

export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

export const slug = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

export const pairs = (text: string): Map<string, string> =>
  new Map(text.split(' ').map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]))
