// Criteria that can be negated without revealing what a reader may not see: a locked event neither meets a criterion about
// a withheld field nor fails it.

import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { unlocked } from '../rules/record-password.ts'

type Where = Prisma.EventWhereInput

export interface Criterion {
  /** Events that meet the criterion. */
  readonly met: Where
  /** Events that fail it. Locked events may be in neither. */
  readonly failed: Where
}

/** A criterion about fields that every reader sees. The condition must not be NULL in SQL. */
export const onVisible = (where: Where): Criterion => ({ met: where, failed: { NOT: where } })

/** A criterion about fields that a lock withholds. The conditions combine with AND. */
export const onWithheld = (conditions: readonly Where[], context: Context): Criterion => ({
  met: { AND: [unlocked(context), ...conditions] },
  failed: { AND: [unlocked(context), { NOT: { AND: [...conditions] } }] },
})

/** Prisma ignores an empty OR in some places. */
const either = (conditions: Where[]): Where => (conditions.length === 0 ? { id: { in: [] } } : { OR: conditions })

export const allOf = (criteria: readonly Criterion[]): Criterion => ({
  met: { AND: criteria.map(({ met }) => met) },
  failed: either(criteria.map(({ failed }) => failed)),
})

export const anyOf = (criteria: readonly Criterion[]): Criterion => ({
  met: either(criteria.map(({ met }) => met)),
  failed: { AND: criteria.map(({ failed }) => failed) },
})

export const negated = ({ met, failed }: Criterion): Criterion => ({ met: failed, failed: met })
