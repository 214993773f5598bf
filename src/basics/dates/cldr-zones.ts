// The table of Unicode CLDR that assigns time zones to territories and to their names in Windows.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export interface ZoneRow {
  readonly windowsName: string
  /** `001` is the world: the row with the zone that stands for the Windows name. */
  readonly territory: string
  readonly zones: readonly string[]
}

interface StoredRow {
  readonly mapZone: { readonly _other: string; readonly _type: string; readonly _territory: string }
}

/** Loads the table when it is first called. */
export function zoneRows(): ZoneRow[] {
  const data = require('cldr-core/supplemental/windowsZones.json')
  return (data.supplemental.windowsZones.mapTimezones as StoredRow[]).map(({ mapZone }) => ({
    windowsName: mapZone._other,
    territory: mapZone._territory,
    zones: mapZone._type.split(' '),
  }))
}
