// Finds the records that rows identify by ID, UID, slug or name.

import { DomainError } from '../../basics/errors.ts'
import { toRecordStatus } from '../../basics/record-status.ts'
import { globalId } from '../../calendar/rules/identify.ts'
import { Status } from '../../generated/prisma/enums.ts'
import type { ExecuteOperation } from '../operations.ts'
import { CellError, parseId, parseLine, short } from './cells.ts'
import type { SheetKind, SheetRecord } from './columns.ts'
import type { LinkedKind, References } from './references.ts'
import { type SheetRow, textColumnsOf } from './rows.ts'

const allStatuses = Object.values(Status).map(toRecordStatus)

interface Finder {
  readonly kind: SheetKind
  readonly execute: ExecuteOperation
  readonly references: References
  /** Language of the names of linked records. */
  readonly language: string
}

/** The stored record of each row. A row that identifies none is a new record, unless it gets a problem. */
export async function findRecords(
  rows: readonly SheetRow[],
  finder: Finder,
): Promise<ReadonlyMap<SheetRow, SheetRecord>> {
  const ids = new Map<SheetRow, number>()
  const uidRows = new Map<SheetRow, string>()
  for (const row of rows) {
    try {
      const uid = row.cells.get('uid')?.trim()
      const id = await identify(row, finder)
      if (id !== undefined) ids.set(row, id)
      else if (finder.kind.record === 'event' && uid) uidRows.set(row, uid)
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      row.problems.push({ column: row.cells.get('id')?.trim() ? 'id' : undefined, message: error.message })
    }
  }
  const byId = await load(finder, { include: [...new Set(ids.values())].map((id) => globalId(kindOf(finder), id)) })
  const byUid = await load(finder, { uids: [...new Set(uidRows.values())] })
  const found = new Map<SheetRow, SheetRecord>()
  for (const [row, id] of ids) {
    const record = byId.find((each) => each.id === id)
    if (record) found.set(row, record)
    else row.problems.push({ column: 'id', message: noRecord(finder.kind, id) })
  }
  for (const [row, uid] of uidRows) {
    const record = byUid.find((each) => 'uid' in each && each.uid === uid)
    if (!record) continue
    if (row.cells.has('id')) row.problems.push({ column: 'uid', message: isTaken(finder.kind, record.id) })
    else found.set(row, record)
  }
  return found
}

const kindOf = ({ kind }: Finder) => kind.record

const noRecord = ({ record }: SheetKind, id: number) =>
  `There is no ${record} with the ID ${id}. Correct the ID, or leave it empty for a new ${record}.`

const isTaken = ({ record }: SheetKind, id: number) =>
  `The ${record} ${id} has this UID. Write its ID to update it, or leave the UID empty for a new ${record}.`

/** The ID by the first of the columns `id`, slug and name that identifies a record. An empty `id` means a new one. */
async function identify(row: SheetRow, finder: Finder): Promise<number | undefined> {
  const { kind, references } = finder
  const id = row.cells.get('id')
  if (id !== undefined) return id.trim() === '' ? undefined : parseId(id)
  if (row.cells.get('uid')?.trim()) return undefined
  for (const slug of cellsOf(row, kind, 'slug')) {
    const found = await idBySlug(finder, slug)
    if (found !== undefined) return found
  }
  if (kind.record === 'event') return undefined
  for (const name of cellsOf(row, kind, 'name')) {
    const found = await references.findByName(kind.record as LinkedKind, parseLine(name))
    if (found !== undefined) return found
  }
  return undefined
}

function cellsOf(row: SheetRow, kind: SheetKind, field: 'slug' | 'name'): string[] {
  const [column] = [...textColumnsOf(kind)].find(([, each]) => each === field) ?? []
  const cells = [...row.cells].filter(([name]) => name.split(':', 1)[0] === column)
  return cells.flatMap(([, cell]) => cell.trim() || [])
}

async function idBySlug({ kind, execute }: Finder, slug: string): Promise<number | undefined> {
  try {
    return (await kind.idBySlug(execute, slug))?.id
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined
    if (!(error instanceof DomainError)) throw error
    throw new CellError(`The record with the slug ${short(slug)} cannot be updated: ${error.message}`)
  }
}

/** Reads the records that the filter selects, if it selects any. */
async function load(
  { kind, execute, language }: Finder,
  filter: Readonly<Record<string, readonly string[]>>,
): Promise<readonly SheetRecord[]> {
  const first = Object.values(filter)[0]?.length ?? 0
  if (first === 0) return []
  const statuses = kind.isPost ? { status: allStatuses } : {}
  const variables = { first, after: null, filter: { ...filter, ...statuses } }
  return (await kind.page(execute, variables, { language, forEditing: true })).nodes
}
