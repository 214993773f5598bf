// The table of Unicode CLDR that assigns time zones to territories and to their names in Windows.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns each Windows zone name in a territory, with its IANA time zones. The territory `001` has the default of the name. */
export function readZoneRows() {
  const data = require('cldr-core/supplemental/windowsZones.json')
  const rows: Record<'mapZone', Record<'_other' | '_type' | '_territory', string>>[] =
    data.supplemental.windowsZones.mapTimezones
  return rows.map(({ mapZone: { _other, _type, _territory } }) => {
    return { windowsName: _other, territory: _territory, zones: _type.split(' ') }
  })
}
