import { builder, nodeIdOptions } from '../../service/graphql/builder.ts'
import { enumValues } from '../rules/enums.ts'

const CredentialKind = builder.enumType('CredentialKind', {
  description: 'How a credential is sent.',
  values: enumValues({
    application_password: 'As the password of HTTP Basic authentication.',
    api_token: 'As a Bearer token.',
  }),
})

export const Credential = builder.prismaNode('Credential', {
  id: nodeIdOptions,
  nullable: true,
  description: 'An application password or API token. Its secret is shown only when it is created.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among credentials.' }),
    kind: t.expose('kind', { type: CredentialKind, description: 'How clients send the credential.' }),
    name: t.exposeString('name', { description: 'Name that shows where it is used.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, with a precision of a minute; null if never.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it expires; null if never.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked; null if it was not.',
    }),
  }),
})
