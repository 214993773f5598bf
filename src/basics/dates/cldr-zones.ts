// The table of Unicode CLDR that assigns time zones to territories and to their names in Windows.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A row of the table: a Windows zone name in a territory, and its IANA time zones. */
export interface ZoneRow {
  readonly windowsName: string
  /** CLDR territory code. The code `001` (world) marks the default zone of the Windows name. */
  readonly territory: string
  readonly zones: readonly string[]
}

export function readZoneRows(): ZoneRow[] {
  const data = require('cldr-core/supplemental/windowsZones.json')
  const rows: Record<'mapZone', Record<'_other' | '_type' | '_territory', string>>[] =
    data.supplemental.windowsZones.mapTimezones
  return rows.map(({ mapZone: { _other, _type, _territory } }) => {
    return { windowsName: _other, territory: _territory, zones: _type.split(' ') }
  })
}
