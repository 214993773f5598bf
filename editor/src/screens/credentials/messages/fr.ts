import type { CredentialMessages } from './en.ts'

export const fr: CredentialMessages = {
  intro:
    'D’autres programmes se connectent avec ces mots de passe plutôt qu’avec le vôtre. Chacun a le sien, que vous pouvez révoquer.',
  new: 'Nouveau mot de passe de programme',
  none: 'Aucun programme n’a de mot de passe.',
  name: 'Programme',
  nameHelp: 'Par exemple « Site de la commune ».',
  nameWrong: 'Le nom doit compter de 1 à 200 caractères.',
  kind: 'Ce que demande le programme',
  kinds: { APPLICATION_PASSWORD: 'Identifiant et mot de passe', API_TOKEN: 'Jeton (Bearer)' },
  create: 'Créer',
  secretTitle: (name) => `Pour ${name}`,
  secret: 'Mot de passe ou jeton',
  secretHelp: 'Saisissez-le maintenant dans le programme. Il ne sera plus affiché.',
  created: (when) => `créé le ${when}`,
  lastUse: (when) => `dernière utilisation le ${when}`,
  unused: 'jamais utilisé',
  expires: (when) => `valable jusqu’au ${when}`,
  revoke: 'Révoquer',
  revokeTitle: (name) => `Révoquer : ${name}`,
  revokeText: 'Le programme ne pourra plus se connecter. Cette action est définitive.',
  revoked: (name) => `${name} ne peut plus se connecter.`,
}
