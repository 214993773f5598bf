// What becomes of the value that a field resolves to, by its type, as the specification has it.
import { GraphQLError, type GraphQLLeafType } from 'graphql'
import { Whole } from '../db/selection.ts'
import { sentText } from '../db/unread.ts'
import { madeOf, Watched } from './made.ts'
import {
  type Complete,
  ignore,
  isPromise,
  locate,
  type Path,
  type PlannedField,
  placeOf,
  type Run,
  runFields,
} from './run.ts'

export function completeRequired(complete: Complete): Complete {
  return (run, field, parent, path, value) => {
    const completed = complete(run, field, parent, path, value)
    if (completed !== null) return completed
    throw new Error(`Cannot return null for non-nullable field ${field.parent.name}.${field.definition.name}.`)
  }
}

export function completeLeaf(type: GraphQLLeafType): Complete {
  return (_run, _field, _parent, _path, value) => {
    if (value === null || value === undefined) return null
    if (value instanceof Error) throw value
    const coerced = type.coerceOutputValue(value)
    if (coerced === null || coerced === undefined) throw new Error(`${type.name} has no such value.`)
    return coerced
  }
}

/** Each makes something else of the same record. */
let selections = 0

export function completeObject(fields: readonly PlannedField[]): Complete {
  selections += 1
  const selection = selections
  return (run, field, parent, path, value) => {
    if (value === null || value === undefined) return null
    if (value instanceof Error) throw value
    const text = value instanceof Whole ? sentText(value) : undefined
    const place = placeOf(field, parent, path)
    // What is withheld shows only while resolvers run.
    if (text === undefined || run.plan.repeats || run.context.withheld) return runFields(run, fields, value, place)
    const key = `${selection} ${text}`
    run.hasRecords = true
    const known = madeOf(key, run.context.now)
    if (known !== undefined) return known
    run.watched ??= new Watched(run)
    return run.watched.remember(key, (watched) => runFields(watched, fields, value, place))
  }
}

export function completeList(complete: Complete, isNullable: boolean): Complete {
  return (run, field, parent, path, value) => {
    if (value === null || value === undefined) return null
    if (value instanceof Error) throw value
    if (!isIterable(value)) {
      const name = `${field.parent.name}.${field.definition.name}`
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${name}".`)
    }
    const place = placeOf(field, parent, path)
    const items: unknown[] = []
    let isPending = false
    try {
      for (const item of value) {
        const completed = completeItem(run, field, { prev: place, key: items.length, typename: undefined }, item)
        isPending ||= isPromise(completed)
        items.push(completed)
      }
    } catch (error) {
      ignore(items)
      throw error
    }
    return isPending ? Promise.all(items) : items
  }

  function completeItem(run: Run, field: PlannedField, path: Path, item: unknown): unknown {
    try {
      const completed = isPromise(item)
        ? item.then((resolved) => complete(run, field, path.prev, path, resolved))
        : complete(run, field, path.prev, path, item)
      return isPromise(completed) ? completed.catch((error) => failedItem(run, field, path, error)) : completed
    } catch (error) {
      return failedItem(run, field, path, error)
    }
  }

  function failedItem(run: Run, field: PlannedField, path: Path, error: unknown): null {
    const located = locate(field, path, error)
    if (!isNullable) throw located
    run.errors.push(located)
    return null
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
