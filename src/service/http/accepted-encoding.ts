import Negotiator from 'negotiator'
import { memoize } from '../../basics/memoize.ts'

/** In the order of preference of the service. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** The encoding that the client prefers; undefined if it prefers none, or accepts no other. */
export const acceptedEncoding = memoize({ name: 'acceptedEncodings', max: 200 }, (header: string) => {
  const parts = header.toLowerCase().split(',')
  // Of encodings that a client likes equally, Negotiator takes the first in the header.
  const brotliFirst = parts.toSorted((a, b) => Number(isBrotli(b)) - Number(isBrotli(a)))
  const negotiator = new Negotiator({ headers: { 'accept-encoding': brotliFirst.join(',') } })
  const [preferred] = negotiator.encodings([...encodings, 'identity'])
  return encodings.find((encoding) => encoding === preferred)
})

const isBrotli = (part: string) => /^\s*br\b/.test(part)
