// Fills the database of a new site, and prints the first administrator and whether sample events were loaded.
import type { Settings } from '../basics/env.ts'
import { initializeSite } from '../calendar/site/site.ts'
import type { Db, Tx } from '../engine/postgres/client.ts'
import {
  type AdministratorNotice,
  ensureAdministrator,
  needsAdministratorSetup,
} from '../service/auth/first-administrator.ts'
import type { Site } from '../service/context.ts'

/** Adds initial data to a new site. Call after the migrations. If nothing is missing, the database is only read. */
export async function prepareSite(settings: Settings, db: Db): Promise<Site> {
  const notices: string[] = []
  const ensure = async (tx: Tx) => {
    const notice = await ensureAdministrator(tx, settings)
    if (notice) notices.push(describeNotice(notice))
  }
  const seed = async (tx: Tx) => {
    const { loadSample, storeSamplePictures } = await import('../tools/sample/town.ts')
    await storeSamplePictures(settings.imagesDir)
    await loadSample(tx, settings, new Date())
    notices.push(sampleNotice)
  }
  const needsAdministrator = await needsAdministratorSetup(db, settings)
  const site = await initializeSite(
    db,
    settings,
    settings.seed ? seed : undefined,
    needsAdministrator ? ensure : undefined,
  )
  // Prints the secret of the administrator before the next steps: it would be lost if one of the steps failed.
  for (const notice of notices) console.log(notice)
  return site
}

const sampleNotice =
  'Sample events of a town that does not exist were loaded. To remove them:\n  npm run -s cli -- sample remove'

const describeNotice = (notice: AdministratorNotice) =>
  notice.kind === 'created'
    ? `The first administrator, shown only now:\n  login     ${notice.login}\n  password  ${notice.secret}`
    : `ADMIN_LOGIN ignored: the user ${notice.login} exists and has another role.`
