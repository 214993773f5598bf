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
  readonly #paths: readonly (readonly string[])[]

  constructor(select: Selection, placeholder: Date) {
    this.select = select
    this.placeholder = placeholder
    this.#paths = pathsTo(select, placeholder)
  }

  /** The selection at this time. */
  bind(now: Date): Selection {
    let select = { ...this.select }
    for (const path of this.#paths) select = replaceAt(select, path, now) as Selection
    bound.set(select, { template: this, now })
    return select
  }
}

/** The template that a selection was bound from, and the time in it; undefined for any other selection. */
export const boundSelection = (select: object): Bound | undefined => bound.get(select)

function pathsTo(value: unknown, placeholder: Date, path: readonly string[] = []): (readonly string[])[] {
  if (value === placeholder) return [path]
  if (typeof value !== 'object' || value === null || value instanceof Date) return []
  return Object.entries(value).flatMap(([name, child]) => pathsTo(child, placeholder, [...path, name]))
}

function replaceAt(value: unknown, [name, ...rest]: readonly string[], replacement: Date): unknown {
  if (name === undefined) return replacement
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[name] = replaceAt(copy[name], rest, replacement)
  return copy
}
