// Makes the response to a mutation say whether the mutation was committed, even if an error occurs after the commit.
import { encodeGlobalID } from '@pothos/plugin-relay'
import {
  type ExecutionResult,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isObjectType,
} from 'graphql'
import { DomainError } from '../../basics/errors.ts'
import { addOutcomeToError, createUnreadableError, type RequestWrites } from '../../engine/postgres/write-outcome.ts'
import type { Context } from '../context.ts'
import { domainErrorOf } from './errors.ts'

/**
 * Changes all mutation fields of the schema: they report their start to `context.writes`, and become nullable, so that a failed
 * mutation does not remove the results of the other mutations of its operation.
 */
export function trackMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field
    const typename = recordTypeOf(field.type)
    const globalId = (id: number) => (typename === undefined ? null : encodeGlobalID(typename, id))
    field.type = getNullableType(field.type)
    field.resolve = (source, args, context: Context, info) => {
      context.writes.begin(String(info.path.key), globalId)
      return resolve?.(source, args, context, info)
    }
  }
  return schema
}

/** Returns the name of the record type in a payload; undefined if the payload has no record that implements Node. */
function recordTypeOf(payload: GraphQLOutputType): string | undefined {
  const type = getNamedType(payload)
  const records = isObjectType(type) ? Object.values(type.getFields()).map((field) => getNamedType(field.type)) : []
  return records.find((record) => isObjectType(record) && record.getInterfaces().some(({ name }) => name === 'Node'))
    ?.name
}

/** Adds to errors whether the write was committed. Sets a payload to null if its record could not be read. */
export function addWriteOutcomes(result: ExecutionResult, { all }: RequestWrites): ExecutionResult {
  if (!result.errors) return result
  const data = result.data ? { ...result.data } : result.data
  const errors = result.errors.map((error) => {
    const [field, part = ''] = error.path ?? []
    const write = all.find((candidate) => candidate.field === field)
    const payload = result.data?.[String(field)] as Readonly<Record<string, unknown>> | null | undefined
    const isRecordMissing = payload?.[part] === null
    // Any error below the record can remove the record from the payload, such as an invalid argument. The client must still learn
    // that the write was committed.
    if (isRecordMissing && write?.progress.state === 'committed') {
      if (data) data[String(field)] = null
      return located(error, createUnreadableError(write, causeOf(error)))
    }
    const described = addOutcomeToError(causeOf(error), write)
    return described instanceof DomainError && described !== causeOf(error) ? located(error, described) : error
  })
  return { ...result, data, errors }
}

const causeOf = (error: GraphQLError) => domainErrorOf(error) ?? error.originalError ?? error

const located = ({ nodes, path }: GraphQLError, originalError: DomainError) =>
  new GraphQLError(originalError.message, { nodes, path, originalError })

/** Creates the result of a request that timed out: for each mutation an error that says whether it was committed. */
export function createAbandonedResult({ all }: RequestWrites, error: Error): ExecutionResult {
  const errors = all.map((write) => {
    const described = addOutcomeToError(error, write)
    const originalError = described instanceof Error ? described : error
    return new GraphQLError(originalError.message, { path: [write.field], originalError })
  })
  return { data: Object.fromEntries(all.map(({ field }) => [field, null])), errors }
}
