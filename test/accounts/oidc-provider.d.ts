declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  /** What the tests use of it. */
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    on(event: string, listener: (...args: unknown[]) => void): this
  }
}
