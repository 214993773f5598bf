import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../service/graphql/builder.ts'

export const createRangeInput = <Scalar extends 'DateTime' | 'LocalDateTime'>(
  name: string,
  type: Scalar,
  description: string,
) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      gt: t.field({ type, description: 'After this time.' }),
      gte: t.field({ type, description: 'At or after this time.' }),
      lt: t.field({ type, description: 'Before this time.' }),
      lte: t.field({ type, description: 'At or before this time.' }),
    }),
  })

export const InstantRange = createRangeInput(
  'InstantRange',
  'DateTime',
  'A range of instants. Bounds combine with AND.',
)

export interface BoundedRange<Bound> {
  gt?: Bound | null | undefined
  gte?: Bound | null | undefined
  lt?: Bound | null | undefined
  lte?: Bound | null | undefined
}

export const hasBound = <Bound>(range: BoundedRange<Bound> | null | undefined): range is BoundedRange<Bound> =>
  (range?.gt ?? range?.gte ?? range?.lt ?? range?.lte) != null

export const toDateFilter = (range: BoundedRange<Date>): Prisma.DateTimeFilter => toBoundsFilter(range, (date) => date)

export function toBoundsFilter<Bound>(
  range: BoundedRange<Bound>,
  toDate: (bound: Bound) => Date,
): Prisma.DateTimeFilter {
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((name) => {
    const bound = range[name]
    return bound == null ? [] : [[name, toDate(bound)] as const]
  })
  return Object.fromEntries(bounds)
}
