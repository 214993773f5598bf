import { expiryOf } from '../../service/auth/credentials.ts'
import { chosenHashPrefix } from '../../service/auth/secrets.ts'
import { builder, nodeIdOptions } from '../../service/graphql/builder.ts'
import { enumValues } from '../rules/enums.ts'

const CredentialKind = builder.enumType('CredentialKind', {
  description: 'How clients send a credential.',
  values: enumValues({
    password: 'A password that a person has chosen, for the sign-in page and HTTP Basic authentication.',
    application_password: 'Clients send the credential as the password of HTTP Basic authentication.',
    api_token: 'Clients send the credential as a Bearer token.',
    session: 'A browser sends the credential as a cookie, after a person has signed in.',
    passkey: 'A browser signs with the credential on the sign-in page (WebAuthn).',
    sign_in_link: 'The address of a page that signs a person in once.',
  }),
})

export const Credential = builder.prismaNode('Credential', {
  id: nodeIdOptions,
  nullable: true,
  description:
    'What a user signs in with. The secret of an application password or API token is shown only when it is created.',
  select: { id: true },
  fields: (t) => ({
    databaseId: t.exposeInt('id', { description: 'Numeric ID, unique among credentials.' }),
    kind: t.field({
      type: CredentialKind,
      description: 'How clients send the credential.',
      select: { kind: true, hash: true },
      resolve: ({ kind, hash }) => (hash.startsWith(chosenHashPrefix) ? 'password' : kind),
    }),
    name: t.exposeString('name', { description: 'Name that shows where the credential is used.' }),
    isCurrent: t.boolean({
      description: 'Whether this request is signed in with the credential.',
      resolve: ({ id }, _args, { viewer }) => viewer?.authentication?.credential === id,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the credential was created.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the credential was last used, with a precision of a minute; null if never.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the credential expires, a session some time after its last use; null if never.',
      select: { kind: true, createdAt: true, lastUsedAt: true, expiresAt: true },
      resolve: expiryOf,
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the credential was revoked; null if it still works.',
    }),
  }),
})
