import { isEmail } from '../../basics/contact-links.ts'
import { omitEmpty } from '../../basics/omit-empty.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { postUrl } from '../fields/fields.ts'
import { createCommonJsonLd, type JsonLdRow, jsonLdField, selectCommonJsonLd } from '../fields/json-ld.ts'
import { isLocked } from '../rules/record-password.ts'
import { getServedText } from '../text/served-text.ts'
import { Organizer } from './type.ts'

const plainColumns = { phone: true, email: true, website: true } as const

export const selectPersonJsonLd = (context: Context) => ({ ...selectCommonJsonLd(context), ...plainColumns })

interface OrganizerRow extends JsonLdRow, Pick<Prisma.OrganizerGetPayload<object>, keyof typeof plainColumns> {}

/** Returns a schema.org object; for a locked organizer, only with the name and the URL. */
export function createPersonJsonLd(organizer: OrganizerRow, context: RecordContext): object {
  const name = getServedText(organizer, 'name')
  const url = postUrl('organizer', organizer, context)
  if (isLocked(organizer, context)) return omitEmpty({ '@type': 'Person', name, url })
  return omitEmpty({
    '@type': 'Person',
    name,
    ...createCommonJsonLd(organizer, context),
    url,
    telephone: organizer.phone,
    email: isEmail(organizer.email) ? organizer.email : '',
    sameAs: organizer.website,
  })
}

builder.prismaObjectField(Organizer, 'jsonLd', (t) => t.field(jsonLdField(selectPersonJsonLd, 1, createPersonJsonLd)))
