// Prevents server-side request forgery: images may only come from servers with public addresses.
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Returns all addresses of the host of a URL, none for an unknown host; undefined if one is private and the host not exempt. */
export async function findAllowedAddresses(
  { protocol, hostname, port }: URL,
  privateHosts: readonly string[],
): Promise<ResolvedAddress[] | undefined> {
  const addresses = await addressesOf(hostname.replace(/^\[|\]$/g, ''))
  const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const isExempt = privateHosts.includes(hostname) || privateHosts.includes(withPort)
  const isAllowed = isExempt || addresses.every(({ address }) => isPublicAddress(address))
  return isAllowed ? addresses : undefined
}

async function addressesOf(host: string): Promise<ResolvedAddress[]> {
  try {
    return await lookup(host, { all: true })
  } catch {
    return []
  }
}

const [globalUnicast, translated] = [ipaddr.IPv6.parse('2000::'), ipaddr.IPv6.parse('64:ff9b::')]

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast'
  // NAT64: name servers of IPv6-only networks embed IPv4 addresses in this prefix.
  if (parsed.match(translated, 96)) return isPublicAddress(parsed.toByteArray().slice(-4).join('.'))
  return parsed.range() === 'unicast' && parsed.match(globalUnicast, 3)
}
