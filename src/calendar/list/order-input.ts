import type { NodeKind } from '../../basics/errors.ts'
import { builder } from '../../service/graphql/builder.ts'
import { directionInput } from '../rules/enums.ts'
import { nodeTypeName, pluralNameOf } from '../rules/identify.ts'

interface OrderValue<Value> {
  readonly value: Value
  readonly description: string
  readonly extensions?: Record<string, unknown>
}

/** Adds the input of an order to the schema, with an enum of its sort keys: for tags `TagOrder` and `TagOrderField`. */
export function addOrderInputType<const Value extends string>(
  kind: NodeKind,
  description: string,
  values: Readonly<Record<string, OrderValue<Value>>>,
) {
  const type = nodeTypeName(kind)
  const OrderField = builder.enumType(`${type}OrderField`, { description, values })
  return builder.inputType(`${type}Order`, {
    description: `Sort order of ${pluralNameOf(kind)}.`,
    fields: (t) => ({
      field: t.field({ type: OrderField, required: true, description: 'Sort key.' }),
      direction: t.field(directionInput),
    }),
  })
}
