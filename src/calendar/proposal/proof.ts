// Proof of work: a visitor's browser solves a challenge before a proposal is accepted, which costs bots more than people.
import { createHmac } from 'node:crypto'
import type { VerifySolutionOptions } from 'altcha-lib'
import { badInputError } from '../../basics/errors.ts'
import type { Context } from '../../service/context.ts'

/** Imports the library for the first proposal, so that the service starts faster. */
const library = async () => {
  const [altcha, { deriveKey }] = await Promise.all([import('altcha-lib'), import('altcha-lib/algorithms/pbkdf2')])
  return { ...altcha, deriveKey }
}

/** About 256 derivations of some milliseconds each. The check takes one. */
const difficulty = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyPrefix: '00' } as const

/** Time in which a form can be filled in. */
const lifetime = 2 * 60 * 60 * 1000
/** How long a sender without scripts waits instead. */
const patience = 20_000

/** Derives a key for one purpose from the site's secret. */
const secretFor = (purpose: string, { site }: Pick<Context, 'site'>) =>
  createHmac('sha256', site.passwordSalt).update(purpose).digest('hex')

/** Returns a keyed hash (HMAC) of the network. */
export const pseudonymOf = (network: string, context: Pick<Context, 'site'>): string =>
  createHmac('sha256', secretFor('proposal sender', context)).update(network).digest('base64url')

export async function issueChallenge(context: Pick<Context, 'site' | 'now'>): Promise<object> {
  const { createChallenge, deriveKey } = await library()
  return createChallenge({
    ...difficulty,
    deriveKey,
    data: { issuedAt: context.now.getTime() },
    hmacSignatureSecret: secretFor('proposal challenge', context),
  })
}

export interface Proof {
  /** Identifies the challenge. */
  readonly challenge: string
  readonly isUnproven: boolean
}

/** Checks a payload of ALTCHA. Throws badInputError if it is invalid or too old, or came too soon without a solution. */
export async function checkProof(text: string, context: Pick<Context, 'site' | 'now'>): Promise<Proof> {
  const { challenge, solution } = parsePayload(text)
  const { verifySolution, deriveKey } = await library()
  const { verified, invalidSignature } = await verifySolution({
    challenge,
    solution: solution ?? { counter: 0, derivedKey: '' },
    deriveKey,
    hmacSignatureSecret: secretFor('proposal challenge', context),
  }).catch(() => ({ verified: false, invalidSignature: true }))
  const { nonce, data } = challenge.parameters
  // Null if the signature was not checked.
  if (invalidSignature !== false) throw badInputError({ proof: 'proof must have a challenge of this site.' })
  const age = context.now.getTime() - Number(data?.issuedAt)
  if (age > lifetime) throw badInputError({ proof: 'The challenge is too old. Ask for a new one.' })
  if (verified) return { challenge: nonce, isUnproven: false }
  if (solution !== undefined) throw badInputError({ proof: 'proof must have the solution of its challenge.' })
  if (age < patience) {
    const seconds = Math.ceil((patience - age) / 1000)
    throw badInputError({ proof: `Without a solution, send the proposal in ${seconds} seconds.` })
  }
  return { challenge: nonce, isUnproven: true }
}

function parsePayload(text: string): {
  challenge: VerifySolutionOptions['challenge']
  solution?: VerifySolutionOptions['solution']
} {
  try {
    const payload = JSON.parse(Buffer.from(text.slice(0, 5000), 'base64').toString())
    if (typeof payload.challenge.parameters === 'object' && payload.challenge.parameters !== null) return payload
  } catch {}
  throw badInputError({ proof: 'proof must be base64 of {"challenge": …, "solution": …}.' })
}
