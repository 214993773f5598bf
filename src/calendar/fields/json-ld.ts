// Shared parts of the schema.org objects of events, venues and organizers (contract c.9).

import { htmlToLine } from '../../basics/strip-tags.ts'
import type { Status } from '../../generated/prisma/enums.ts'
import type { Context } from '../../service/context.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { imageUrl } from '../image/type.ts'
import { type LockableRecord, lockColumns } from '../rules/record-password.ts'
import { getServedText, type ServedRow } from '../text/served-text.ts'
import { nullIfLocked, nullWhileLockedNote } from './lockable.ts'

export const selectCommonJsonLd = ({ language }: Context) => ({
  ...lockColumns,
  image: { select: { url: true } as const },
  texts: {
    where: { language },
    select: { name: true, description: true, slug: true, source: true } as const,
  },
})

export interface JsonLdRow extends LockableRecord, ServedRow<'name' | 'description' | 'slug' | 'source'> {
  readonly status: Status
  readonly image: { readonly url: string } | null
}

export const createCommonJsonLd = (row: JsonLdRow, context: RecordContext) => ({
  description: htmlToLine(getServedText(row, 'description')),
  image: row.image && imageUrl(row.image.url, context),
})

/** Options of the field `jsonLd`; `records` is the number of records that it reads. */
export const jsonLdField = <Row extends LockableRecord, Columns extends object>(
  columns: (context: Context) => Columns,
  records: number,
  build: (row: Row, context: RecordContext) => object,
) => ({
  type: 'JSON' as const,
  nullable: true as const,
  description: `The schema.org object of the record as JSON-LD, in the language of the operation, for a \`script\` element of the type \`application/ld+json\`. ${nullWhileLockedNote}`,
  // About the complexity of selecting the same fields one by one.
  extensions: complexity({ weight: 3 * records, nestedWeight: 10 * records }),
  select: (_args: object, context: Context) => columns(context),
  resolve: nullIfLocked((row: Row, context) => ({ '@context': 'http://schema.org', ...build(row, context) })),
})
