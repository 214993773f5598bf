import type { CredentialMessages } from './en.ts'

export const es: CredentialMessages = {
  intro:
    'Otros programas inician sesión con estas contraseñas en lugar de la suya. Cada programa tiene una propia, que usted puede revocar.',
  new: 'Nueva contraseña de programa',
  none: 'Ningún programa tiene una contraseña suya.',
  name: 'Programa',
  nameHelp: 'Por ejemplo, «Sitio web del ayuntamiento».',
  nameWrong: 'El nombre debe tener entre 1 y 200 caracteres.',
  kind: 'Qué pide el programa',
  kinds: { APPLICATION_PASSWORD: 'Usuario y contraseña', API_TOKEN: 'Token (Bearer)' },
  create: 'Crear',
  secretTitle: (name) => `Para ${name}`,
  secret: 'Contraseña o token',
  secretHelp: 'Introdúzcalo ahora en el programa. No se vuelve a mostrar.',
  created: (when) => `se creó el ${when}`,
  lastUse: (when) => `último uso: ${when}`,
  unused: 'sin usar',
  expires: (when) => `válido hasta el ${when}`,
  revoke: 'Revocar',
  revokeTitle: (name) => `Revocar: ${name}`,
  revokeText: 'El programa ya no podrá iniciar sesión. No se puede deshacer.',
  revoked: (name) => `${name} ya no puede iniciar sesión.`,
}
