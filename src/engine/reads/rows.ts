// Runs the statements of the read engine. If long texts have a budget, a statement that reads any runs twice.
import { setImmediate } from 'node:timers/promises'
import { queryRows } from '../postgres/query.ts'
import { anyLength, type LongTextBudget, omittedBytes, shortText, withByteLimit } from './long-texts.ts'
import type { ByIds, CompiledStatement, Row } from './statement.ts'

function send(client: object, statement: CompiledStatement, byteLimit: number): Promise<Row[]> {
  const { text, usesGenericPlan, hasLongTexts } = statement
  const values = hasLongTexts ? withByteLimit(statement.values, byteLimit) : statement.values
  return queryRows<Row>(client, { text, values, prepared: usesGenericPlan ? 'record' : undefined })
}

/** All rows of a statement. */
export async function readRows(
  client: object,
  statement: CompiledStatement,
  budget: LongTextBudget | undefined,
): Promise<Row[]> {
  if (!budget || !statement.hasLongTexts) return send(client, statement, anyLength)
  const rows = await send(client, statement, shortText)
  const bytes = rows.reduce((sum, { record }) => sum + omittedBytes(record), 0)
  if (bytes === 0) return rows
  await budget.reserve(bytes)
  return send(client, statement, anyLength)
}

/** The rows with these IDs, in any order. Rows with long texts are read by several statements. */
export async function readRowsByIds(
  client: object,
  byIds: ByIds,
  ids: readonly unknown[],
  budget: LongTextBudget | undefined,
): Promise<Row[]> {
  const statement = byIds.statement(ids)
  if (!budget || !byIds.hasLongTexts) return send(client, statement, anyLength)
  const rows = await send(client, statement, shortText)
  const bytesOfId = new Map<unknown, number>()
  for (const { id, record } of rows) {
    const bytes = omittedBytes(record)
    if (bytes > 0) bytesOfId.set(id, bytes)
  }
  if (bytesOfId.size === 0) return rows
  await budget.reserve([...bytesOfId.values()].reduce((sum, bytes) => sum + bytes))
  const result = rows.filter(({ id }) => !bytesOfId.has(id))
  for (const slice of slices(bytesOfId)) {
    result.push(...(await send(client, byIds.statement(slice), anyLength)))
  }
  return result
}

/** Bytes of long texts per statement, unless one record has more. The driver parses them without a break. */
const sliceBytes = 2_000_000

function slices(bytesOfId: ReadonlyMap<unknown, number>): unknown[][] {
  const result: unknown[][] = []
  let left = 0
  for (const [id, bytes] of bytesOfId) {
    if (bytes > left || result.length === 0) {
      result.push([])
      left = sliceBytes
    }
    result.at(-1)?.push(id)
    left -= bytes
  }
  return result
}

/** Characters that are decoded before the event loop handles other requests. */
const decodedAtOnce = 500_000

export async function decodeRows(rows: readonly Row[], decode: (row: Row) => object): Promise<object[]> {
  const records: object[] = []
  let characters = 0
  for (const row of rows) {
    if (characters > decodedAtOnce) {
      await setImmediate()
      characters = 0
    }
    records.push(decode(row))
    characters += row.record.length
  }
  return records
}
