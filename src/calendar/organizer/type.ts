import { builder } from '../../service/graphql/builder.ts'
import { addPostFields, recordTypeOptions } from '../fields/common-fields.ts'
import { postFieldOptions, withheldFields } from '../fields/fields.ts'
import { Post } from '../fields/interfaces.ts'
import { lockableField } from '../fields/lockable.ts'
import { readableFilter } from '../rules/status.ts'
import { Translatable } from '../text/translatable.ts'

export const Organizer = builder.prismaNode('Organizer', {
  description: 'An organizer of events.',
  ...recordTypeOptions(readableFilter),
  interfaces: [Translatable, Post],
  fields: (t) => ({
    name: t.string({ ...postFieldOptions.name, description: 'Name of the organizer as plain text, never empty.' }),
    withheldFields: t.stringList(withheldFields(['phone', 'website', 'email'])),
    phone: t.string(lockableField('phone', 'Telephone number.')),
    website: t.string(lockableField('website', 'Website; empty if unknown.')),
    email: t.string(lockableField('email', 'E-mail address.')),
  }),
})

addPostFields('organizer')
