import { randomBytes, randomUUID } from 'node:crypto'
import type { Settings } from '../../basics/env.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { queryRows } from '../../engine/postgres/query.ts'
import type { Site } from '../../service/context.ts'
import { rebuildImageTexts } from '../image/storage/texts.ts'
import { repairSlugs } from '../text/repair-slugs.ts'
import { rebuildServedTexts, type SiteLanguages, textRulesVersion } from '../text/text-rows.ts'

/**
 * Initializes a new database, stores the host of UIDs if there is none yet, and rebuilds the served texts if the languages of
 * the site or the text rules changed since the last start. `seed` fills a new database, in the transaction that initializes it,
 * and never one that has been in use. Instances that start at the same time wait for each other on a row lock, under which
 * `afterSetup` runs too. If nothing is left to do, the database is only read.
 */
export async function initializeSite(
  db: Db,
  { languages, defaultLanguage, publicUrl }: SiteLanguages & Pick<Settings, 'publicUrl'>,
  seed?: (tx: Tx) => Promise<void>,
  afterSetup?: (tx: Tx) => Promise<void>,
): Promise<Site> {
  const configured = { languages: [...languages], defaultLanguage, textRules: textRulesVersion }
  const before = await readSite(db)
  const uidHost = lastingHost(publicUrl)
  const lacksHost = (site: StoredHost) => site.uidHost === null && uidHost !== null
  if (before && isUpToDate(before, configured) && !lacksHost(before) && !afterSetup)
    return toSite(before, { publicUrl })
  const salt = randomBytes(16).toString('hex')
  return db.$transaction(
    async (tx) => {
      const created = await tx.$executeRaw`
        INSERT INTO site (id, password_salt, languages, default_language, text_rules, uid_host)
        VALUES (1, decode(${salt}, 'hex'), ${configured.languages}::text[], ${defaultLanguage}, ${textRulesVersion},
          ${uidHost ?? randomUUID()})
        ON CONFLICT DO NOTHING`
      await tx.$queryRaw`SELECT id FROM site FOR UPDATE`
      const site = await tx.site.findUniqueOrThrow({ where: { id: 1 } })
      if (!isUpToDate(site, configured)) {
        await repairSlugs(tx)
        await rebuildServedTexts(tx, configured)
        await rebuildImageTexts(tx, configured)
        await tx.site.update({ where: { id: 1 }, data: configured })
      }
      if (lacksHost(site)) await tx.site.update({ where: { id: 1 }, data: { uidHost } })
      await afterSetup?.(tx)
      if (seed && created > 0) {
        await seed(tx)
        await tx.site.update({ where: { id: 1 }, data: { seededAt: new Date() } })
        // Without statistics the planner would join the tables row by row, until they are vacuumed.
        await tx.$executeRaw`ANALYZE`
      }
      return toSite({ ...site, uidHost: site.uidHost ?? uidHost }, { publicUrl })
    },
    // 100,000 events in three languages take some ten minutes.
    { timeout: 3_600_000 },
  )
}

/** Whether `initializeSite` will rebuild the served texts of existing records. */
export async function hasOutdatedTexts(db: Db, { languages, defaultLanguage }: SiteLanguages): Promise<boolean> {
  const stored = await readSite(db)
  return stored !== undefined && !isUpToDate(stored, { languages, defaultLanguage, textRules: textRulesVersion })
}

type StoredHost = { readonly uidHost: string | null }
type TextRules = SiteLanguages & { readonly textRules: number }
type StoredSite = TextRules & StoredHost & Pick<Site, 'passwordSalt'>

/** Selects the values of the stored site for the context of operations. */
export const toSite = (
  { passwordSalt, uidHost }: StoredHost & Pick<Site, 'passwordSalt'>,
  { publicUrl }: Pick<Settings, 'publicUrl'>,
): Site => ({ passwordSalt: new Uint8Array(passwordSalt), uidHost: uidHost ?? new URL(publicUrl).host })

/** The host of a URL; null for `localhost` and similar names, which would make UIDs of several calendars equal. */
function lastingHost(publicUrl: string): string | null {
  const { host, hostname } = new URL(publicUrl)
  return /^(.*\.)?localhost$|^127\.|^\[::1\]$/.test(hostname) ? null : host
}

/** Reads the row of the site with SQL: loading Prisma Client would slow down every start. */
async function readSite(db: Db): Promise<StoredSite | undefined> {
  const text = `SELECT languages, default_language AS "defaultLanguage", text_rules AS "textRules",
    password_salt AS "passwordSalt", uid_host AS "uidHost" FROM site`
  const [site] = await queryRows<StoredSite>(db, { text, values: [], prepared: undefined })
  return site
}

const isUpToDate = (site: TextRules, configured: TextRules) =>
  `${site.languages} ${site.defaultLanguage} ${site.textRules}` ===
  `${configured.languages} ${configured.defaultLanguage} ${configured.textRules}`
