import { randomBytes } from 'node:crypto'
import type { Site } from '../context.ts'
import type { Db, Tx } from '../db/client.ts'
import { queryRows } from '../db/query.ts'
import { renewAllTexts, type SiteLanguages, textRules } from './text/text-rows.ts'

/**
 * Sets up a new database, and makes the served texts anew when the site's languages, or the rules by which those texts are
 * made, changed since the last start.
 * `fill` runs once in the life of a database, in the same transaction: it happens whole or not at all, and instances
 * that start together wait for each other on the row. `also` runs under the same lock. A database where nothing of this
 * is left to do is only read.
 */
export async function prepareSite(
  db: Db,
  { languages, defaultLanguage }: SiteLanguages,
  fill?: (tx: Tx) => Promise<void>,
  also?: (tx: Tx) => Promise<void>,
): Promise<Site> {
  const wanted = { languages: [...languages], defaultLanguage, textRules }
  const [before] = await queryRows<Stored>(db, { text: look, values: [], prepared: undefined })
  if (before && isMadeFor(before, wanted) && (before.isSeeded || !fill) && !also)
    return { passwordSalt: new Uint8Array(before.passwordSalt) }
  const salt = randomBytes(16).toString('hex')
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`
        INSERT INTO site (id, password_salt, languages, default_language, text_rules)
        VALUES (1, decode(${salt}, 'hex'), ${wanted.languages}::text[], ${defaultLanguage}, ${textRules})
        ON CONFLICT DO NOTHING`
      await tx.$queryRaw`SELECT id FROM site FOR UPDATE`
      const site = await tx.site.findUniqueOrThrow({ where: { id: 1 } })
      if (!isMadeFor(site, wanted)) {
        await renewAllTexts(tx, wanted)
        await tx.site.update({ where: { id: 1 }, data: wanted })
      }
      await also?.(tx)
      if (fill && !site.seededAt) {
        await fill(tx)
        await tx.site.update({ where: { id: 1 }, data: { seededAt: new Date() } })
      }
      return { passwordSalt: site.passwordSalt }
    },
    { timeout: 600_000 },
  )
}

interface Stored extends Rules, Site {
  readonly isSeeded: boolean
}

/** Without Prisma, whose engine takes longer to load than this does to start without. */
const look = `
  SELECT languages, default_language AS "defaultLanguage", text_rules AS "textRules", seeded_at IS NOT NULL AS "isSeeded",
    password_salt AS "passwordSalt"
  FROM site`

interface Rules extends SiteLanguages {
  readonly textRules: number
}

const isMadeFor = (site: Rules, wanted: Rules) =>
  `${site.languages} ${site.defaultLanguage} ${site.textRules}` ===
  `${wanted.languages} ${wanted.defaultLanguage} ${wanted.textRules}`
