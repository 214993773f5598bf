import type { InputRef, ObjectRef } from '@pothos/core'
import type { Context } from '../../service/context.ts'
import type { SchemaTypes } from '../../service/graphql/builder.ts'
import type { ListQuery } from './list-query.ts'

interface ListArgs<Filter, Order> {
  readonly filter?: Filter | null | undefined
  readonly orderBy?: Order | null | undefined
}

/** How the lists of a kind are filtered and sorted, for the queries and for fields of other records. */
export interface RecordList<Filter = object, Order = object> {
  readonly type: ObjectRef<SchemaTypes, object>
  readonly filter: InputRef<Filter>
  readonly order: InputRef<Order>
  /** Translates the filter and the order. */
  list(args: ListArgs<Filter, Order>, context: Context): Promise<Omit<ListQuery, 'selection'>>
}

/** Checks a list against the types of its inputs, and returns it as a list of any inputs. */
export const recordList = <Filter extends object, Order extends object>(list: RecordList<Filter, Order>): RecordList =>
  list as unknown as RecordList
