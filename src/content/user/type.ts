import { builder } from '../../graphql/builder.ts'

export const User = builder.prismaObject('User', {
  description: 'Somebody who writes here.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Number of the user.' }),
    name: t.exposeString('name', { description: 'Name to show.' }),
  }),
})
