// Finds the stored records of rows, by ID, UID, slug or name.
import { DomainError } from '../../basics/errors.ts'
import { toRecordStatus } from '../../basics/record-status.ts'
import * as documents from '../../generated/graphql/graphql.ts'
import { Status } from '../../generated/prisma/enums.ts'
import { kinds } from '../../kinds.ts'
import type { ExecuteOperation } from '../operations.ts'
import { CellError, parseId, parseLine, shorten } from './cells.ts'
import type { SheetRecord } from './columns.ts'
import type { SheetKind } from './kinds.ts'
import type { LinkedKind, ReferenceFinder } from './reference-finder.ts'
import { addCellProblem, type SheetRow } from './rows.ts'

const allStatuses = Object.values(Status).map(toRecordStatus)

interface Finder {
  readonly kind: SheetKind
  readonly execute: ExecuteOperation
  readonly references: ReferenceFinder
  /** The language of the names of linked records. */
  readonly language: string
}

/** Returns the stored record of each row. Rows without one are new records, or have an invalid ID as a problem. */
export async function findStoredRecords(rows: readonly SheetRow[], finder: Finder) {
  const { record: name } = finder.kind
  const ids = new Map<SheetRow, number>()
  const uidRows: SheetRow[] = []
  for (const row of rows) {
    try {
      const id = await identify(row, finder)
      if (id !== undefined) ids.set(row, id)
      else if (name === 'event' && uidOf(row)) uidRows.push(row)
    } catch (error) {
      addCellProblem(row, row.cells.get('id')?.trim() ? 'id' : undefined, error)
    }
  }
  const found = new Map<SheetRow, SheetRecord>()
  const byId = await load(finder, 'include', [...ids.values()])
  for (const [row, id] of ids) {
    const record = byId.find((each) => each.id === id)
    if (record) found.set(row, record)
    else {
      const message = `There is no ${name} with the ID ${id}. Correct the ID, or leave it empty for a new ${name}.`
      row.problems.push({ column: 'id', message })
    }
  }
  const byUid = await load(finder, 'uids', uidRows.map(uidOf))
  for (const row of uidRows) {
    const record = byUid.find((each) => 'uid' in each && each.uid === uidOf(row))
    if (record && !row.cells.has('id')) found.set(row, record)
    else if (record) {
      const message = `The ${name} ${record.id} has this UID. Write its ID to update it, or leave the UID empty for a new ${name}.`
      row.problems.push({ column: 'uid', message })
    }
  }
  return found
}

const uidOf = (row: SheetRow): string => row.cells.get('uid')?.trim() ?? ''

/** Returns the ID of the record by `id`, slug or name. Undefined for a new record, such as with an empty `id`. */
async function identify(row: SheetRow, { kind, execute, references }: Finder): Promise<number | undefined> {
  const id = row.cells.get('id')
  if (id !== undefined) return id.trim() === '' ? undefined : parseId(id)
  if (uidOf(row)) return undefined
  for (const slug of cellsOf(row, 'slug')) {
    const found = await idBySlug(kind, execute, slug)
    if (found !== undefined) return found
  }
  if (kind.record === 'event') return undefined
  for (const name of cellsOf(row, kind.name)) {
    const found = await references.findByName(kind.record as LinkedKind, parseLine(name))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the cells of a text in all languages, without empty ones. */
const cellsOf = (row: SheetRow, column: string): string[] =>
  [...row.cells].flatMap(([name, cell]) => (name.split(':', 1)[0] === column && cell.trim()) || [])

async function idBySlug(kind: SheetKind, execute: ExecuteOperation, slug: string): Promise<number | undefined> {
  try {
    return (await execute(documents[`Sheet${kinds[kind.record].type}IdBySlugDocument`], { slug })).record?.id
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (error.code === 'NOT_FOUND') return undefined
    throw new CellError(`The record with the slug ${shorten(slug)} cannot be updated: ${error.message}`)
  }
}

async function load({ kind, execute, language }: Finder, filter: 'include' | 'uids', values: (number | string)[]) {
  if (values.length === 0) return []
  const statuses = kind.isPost ? { status: allStatuses } : {}
  const variables = { first: values.length, after: null, filter: { [filter]: [...new Set(values)], ...statuses } }
  return (await kind.page(execute, variables, { language, forEditing: true })).nodes
}
