// Prisma selections that are built once for many operations, although the time of the operation occurs in them.

type Selection = Readonly<Record<string, unknown>>

interface Bound {
  readonly template: SelectionTemplate
  readonly now: Date
}

const bound = new WeakMap<object, Bound>()

export class SelectionTemplate {
  readonly select: Selection
  /** Stands for the time of the operation wherever it occurs in the selection. */
  readonly placeholder: Date
  readonly #copyAt: CopyAt | undefined

  constructor(select: Selection, placeholder: Date) {
    this.select = select
    this.placeholder = placeholder
    this.#copyAt = copierOf(select, placeholder)
  }

  /** The selection at this time. */
  bind(now: Date): Selection {
    const select = this.#copyAt ? (this.#copyAt(now) as Selection) : { ...this.select }
    bound.set(select, { template: this, now })
    return select
  }
}

/** The template that a selection was bound from, and the time in it; undefined for any other selection. */
export const boundSelection = (select: object): Bound | undefined => bound.get(select)

type CopyAt = (now: Date) => unknown

/** Copies a value with the time in place of the placeholder; undefined for a value without it, which needs no copy. */
function copierOf(value: unknown, placeholder: Date): CopyAt | undefined {
  if (value === placeholder) return (now) => now
  if (typeof value !== 'object' || value === null || value instanceof Date) return undefined
  const copiers = Object.entries(value).flatMap(([name, child]) => {
    const copyAt = copierOf(child, placeholder)
    return copyAt ? [{ name, copyAt }] : []
  })
  if (copiers.length === 0) return undefined
  return (now) => {
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
    for (const { name, copyAt } of copiers) copy[name] = copyAt(now)
    return copy
  }
}
