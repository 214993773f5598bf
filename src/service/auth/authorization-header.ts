/** A parsed Authorization header. */
export type Authorization =
  | { readonly scheme: 'basic'; readonly login: string; readonly password: string }
  | { readonly scheme: 'token'; readonly token: string }
  | { readonly scheme: 'jwt'; readonly token: string }

/** Undefined for a malformed header, and for schemes other than Basic and Bearer. */
export function readAuthorization(header: string): Authorization | undefined {
  const [, scheme, value] = /^([a-z]+) +([\w.~+/-]+=*) *$/i.exec(header) ?? []
  if (scheme === undefined || value === undefined) return undefined
  if (scheme.toLowerCase() === 'basic') return readBasic(value)
  if (scheme.toLowerCase() !== 'bearer') return undefined
  return { scheme: value.includes('.') ? 'jwt' : 'token', token: value }
}

/** The first colon ends the login; the password may contain colons. */
function readBasic(value: string): Authorization | undefined {
  const [, login = '', password = ''] = /^([^:]*):(.*)$/s.exec(decode(value) ?? '') ?? []
  return login === '' || password === '' ? undefined : { scheme: 'basic', login, password }
}

function decode(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}
