// Prisma selections that are built once and reused: each operation replaces a placeholder by its own time.

type Selection = Readonly<Record<string, unknown>>

export class SelectionTemplate {
  readonly select: Selection
  /** A Date in the selection that stands for the time of the operation. */
  readonly placeholder: Date

  constructor(select: Selection, placeholder: Date) {
    this.select = select
    this.placeholder = placeholder
  }

  /** Returns the selection with the time of an operation, to pass as `select` of a read. */
  at(now: Date): SelectionAt {
    return { template: this, now }
  }
}

/** A selection with the time of an operation. The read engine accepts this object; Prisma Client gets a plain copy. */
export interface SelectionAt {
  readonly template: SelectionTemplate
  readonly now: Date
}

export const isSelectionAt = (select: unknown): select is SelectionAt =>
  typeof select === 'object' && select !== null && 'template' in select && 'now' in select

/** Returns a plain Prisma selection. Finds placeholders by value, because Prisma passes copies of Dates to extensions. */
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
