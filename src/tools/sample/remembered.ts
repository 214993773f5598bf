// The records of the sample, in the ledger of imports: what has another version since was edited.
import type { Tx } from '../../engine/postgres/client.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { versionOf } from '../import-site/ledger.ts'
import { type SampleKind, sampleKinds } from './load.ts'

/** The name of the sample in the ledger. */
export const sampleName = 'sample'

export async function rememberSample(tx: Tx, ids: Readonly<Record<SampleKind, readonly number[]>>): Promise<void> {
  for (const kind of sampleKinds) {
    await tx.$executeRaw`
      INSERT INTO imported_record (site, kind, source_id, record_id, record_version, digest, is_complete)
      SELECT ${sampleName}, ${kind}, s.id, s.id, ${versionOf(kind, Prisma.sql`s.id`)}, '', true
      FROM unnest(${ids[kind]}::int[]) s (id)`
  }
}
