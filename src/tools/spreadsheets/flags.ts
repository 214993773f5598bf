// The options of the commands for spreadsheets.
import type { Output } from '../print.ts'
import type { SheetKindName } from './kinds.ts'

interface KindFlags extends Output {
  readonly kind: SheetKindName
  readonly language?: string
}

export interface ExportFlags extends KindFlags {
  readonly file: string
  readonly from?: string
  readonly to?: string
  readonly search?: string
  readonly category?: string
  readonly tag?: string
  readonly venue?: string
  readonly organizer?: string
}

export interface ImportFlags extends KindFlags {
  readonly mapping?: string
  readonly as?: string
  readonly dryRun?: true
  readonly continue?: true
  readonly createMissing?: true
}
