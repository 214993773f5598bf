import { unauthenticated } from './errors.ts'

/** Who asks: everybody is a visitor so far. Throws unauthenticated for a credential, since none can be right. */
export function identifyViewer(authorization: string | undefined): void {
  if (authorization !== undefined) throw unauthenticated()
}
