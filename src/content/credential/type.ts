import { builder } from '../../graphql/builder.ts'

const CredentialKind = builder.enumType('CredentialKind', {
  description: 'How a credential is sent.',
  values: {
    APPLICATION_PASSWORD: { value: 'application_password', description: 'As the password of HTTP Basic.' },
    API_TOKEN: { value: 'api_token', description: 'As a Bearer token.' },
  } as const,
})

export const Credential = builder.prismaObject('Credential', {
  description: 'Something that a user signs in with. Its secret is shown once, when it is made.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Number of the credential.' }),
    kind: t.expose('kind', { type: CredentialKind, description: 'How it is sent.' }),
    name: t.exposeString('name', { description: 'What it is for.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to the minute; null if never.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops to be good; null if it does not by itself.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null while it is good.',
    }),
  }),
})
