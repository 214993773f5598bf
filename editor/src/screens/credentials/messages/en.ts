import type { Widened } from '../../../messages/en.ts'

export const en = {
  intro:
    'Other programs sign in with these instead of your password. Each program gets one of its own, so that you can take it back.',
  new: 'New password for a program',
  none: 'No program has a password of yours.',
  name: 'Program',
  nameHelp: 'For example “Website of the town”.',
  nameWrong: 'The name must have 1 to 200 characters.',
  kind: 'What the program asks for',
  kinds: { APPLICATION_PASSWORD: 'Login and password', API_TOKEN: 'Token (Bearer)' },
  create: 'Create',
  secretTitle: (name: string) => `For ${name}`,
  secret: 'Password or token',
  secretHelp: 'Enter it in the program now. It is not shown again.',
  created: (when: string) => `created ${when}`,
  lastUse: (when: string) => `last used ${when}`,
  unused: 'never used',
  expires: (when: string) => `valid until ${when}`,
  revoke: 'Revoke',
  revokeTitle: (name: string) => `Revoke: ${name}`,
  revokeText: 'The program can no longer sign in. This cannot be undone.',
  revoked: (name: string) => `${name} can no longer sign in.`,
}

export type CredentialMessages = Widened<typeof en>
