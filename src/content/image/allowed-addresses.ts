// Which servers an image may come from: none in the networks that this process can see and strangers cannot.
import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

export interface Address {
  readonly address: string
  readonly family: number
}

/** All addresses of a URL's host; undefined if there are none, or if one is not public and the host not exempt. */
export async function allowedAddresses(
  { protocol, hostname, port }: URL,
  privateHosts: readonly string[],
): Promise<Address[] | undefined> {
  const found = await addressesOf(hostname.replace(/^\[|\]$/g, ''))
  const withPort = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const isExempt = privateHosts.includes(hostname) || privateHosts.includes(withPort)
  const isAllowed = isExempt || found.every(({ address }) => isPublicAddress(address))
  return isAllowed && found.length > 0 ? found : undefined
}

async function addressesOf(host: string): Promise<Address[]> {
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
  // In networks without IPv4, name servers give every such host an address that holds its IPv4 address.
  if (parsed.match(translated, 96)) return isPublicAddress(parsed.toByteArray().slice(-4).join('.'))
  return parsed.range() === 'unicast' && parsed.match(globalUnicast, 3)
}
