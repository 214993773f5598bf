import { isEmail } from '../../basics/contact-links.ts'
import { withoutEmpty } from '../../basics/without-empty.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import { postUrl } from '../fields/fields.ts'
import { type DescribedRow, describe, describedColumns, jsonLdField } from '../fields/json-ld.ts'
import { isLocked } from '../rules/record-password.ts'
import { textOf } from '../text/served-text.ts'
import { Organizer } from './type.ts'

export const personColumns = (context: Context) => ({
  ...describedColumns(context),
  phone: true as const,
  email: true as const,
  website: true as const,
})

interface OrganizerRow extends DescribedRow {
  readonly phone: string
  readonly email: string
  readonly website: string
}

/** Of a locked organizer, only the name and the page. */
export function personOf(organizer: OrganizerRow, context: RecordContext): object {
  const name = textOf(organizer, 'name')
  const url = postUrl('organizer', organizer, context)
  if (isLocked(organizer, context)) return withoutEmpty({ '@type': 'Person', name, url })
  return withoutEmpty({
    '@type': 'Person',
    name,
    ...describe(organizer, context),
    url,
    telephone: organizer.phone,
    email: isEmail(organizer.email) ? organizer.email : '',
    sameAs: organizer.website,
  })
}

builder.prismaObjectField(Organizer, 'jsonLd', (t) => t.field(jsonLdField(personColumns, 1, personOf)))
