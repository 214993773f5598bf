// Prisma selections that are built once for many operations, although the time of the operation occurs in them.

type Selection = Readonly<Record<string, unknown>>

export class SelectionTemplate {
  readonly select: Selection
  /** Stands for the time of the operation wherever it occurs in the selection. */
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

/** The read engine takes the template and the time; Prisma gets a copy of the selection with the time in it. */
export interface SelectionAt {
  readonly template: SelectionTemplate
  readonly now: Date
}

export const isSelectionAt = (select: unknown): select is SelectionAt =>
  typeof select === 'object' && select !== null && 'template' in select && 'now' in select

/** Times are compared by value: Prisma gives extensions a copy of the arguments. */
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
