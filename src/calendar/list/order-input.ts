import type { ErrorKind } from '../../basics/errors.ts'
import { builder } from '../../service/graphql/builder.ts'
import { directionInput } from '../rules/enums.ts'
import { nodeType, pluralOf } from '../rules/identify.ts'

interface OrderValue<Value> {
  readonly value: Value
  readonly description: string
  readonly extensions?: Record<string, unknown>
}

/** Adds the input of an order to the schema, with an enum of its sort keys: for tags `TagOrder` and `TagOrderField`. */
export function addOrderInputType<const Value extends string>(
  kind: ErrorKind,
  description: string,
  values: Readonly<Record<string, OrderValue<Value>>>,
) {
  const type = nodeType(kind)
  const OrderField = builder.enumType(`${type}OrderField`, { description, values })
  return builder.inputType(`${type}Order`, {
    description: `Sort order of ${pluralOf(kind)}.`,
    fields: (t) => ({
      field: t.field({ type: OrderField, required: true, description: 'Sort key.' }),
      direction: t.field(directionInput),
    }),
  })
}
