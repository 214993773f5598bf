// Prisma selections that are built once and reused by later operations, with the time of each operation inserted.

type Selection = Readonly<Record<string, unknown>>

export class SelectionTemplate {
  readonly select: Selection
  /** Replaced by the time of the operation wherever it occurs in the selection. */
  readonly placeholder: Date

  constructor(select: Selection, placeholder: Date) {
    this.select = select
    this.placeholder = placeholder
  }

  /** The selection at the time of an operation, as the `select` of a read. */
  at(now: Date): SelectionAt {
    return { template: this, now }
  }
}

/** A selection at the time of an operation. The read engine accepts it; Prisma gets a plain copy. */
export interface SelectionAt {
  readonly template: SelectionTemplate
  readonly now: Date
}

export const isSelectionAt = (select: unknown): select is SelectionAt =>
  typeof select === 'object' && select !== null && 'template' in select && 'now' in select

/** A plain Prisma selection. Compares times by value, because Prisma passes copies of arguments to extensions. */
export function toSelect({ template: { select, placeholder }, now }: SelectionAt): Selection {
  const time = placeholder.getTime()
  const replace = (value: unknown): unknown => {
    if (value instanceof Date) return value.getTime() === time ? now : value
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, replace(child)]))
  }
  return replace(select) as Selection
}
