const origin = /^https?:\/\/[^/?#]*/i

/**
 * The path and the query of a request target. Clients of proxies may send the whole URL (RFC 9112, section 3.2.2); its host
 * has no meaning here, because links, redirects and cache keys do not depend on the host.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || !origin.test(target)) return target
  return target.replace(origin, '').replace(/^(?!\/)/, '/')
}
