// The secrets that sign messages. Several sign at once while an endpoint changes to a new one.
import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'

const secretsShape = z.array(z.object({ secret: z.string(), until: z.iso.datetime().nullable() }))

type Secrets = z.infer<typeof secretsShape>

/** Maximum of secrets that sign a message. */
const maxSecrets = 3

/** Returns the secrets that are still in use. */
export const readSecrets = (stored: unknown, now: Date): Secrets =>
  secretsShape.parse(stored).filter(({ until }) => until === null || new Date(until) > now)

/** Generates a secret in the format of Standard Webhooks, with 256 bits. */
export const createSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Adds a secret. The others stop to sign at `until`. */
export const addSecret = (stored: unknown, secret: string, until: Date, now: Date): Secrets => [
  { secret, until: null },
  ...readSecrets(stored, now)
    .slice(0, maxSecrets - 1)
    .map((other) => ({ ...other, until: other.until ?? until.toISOString() })),
]

/** Returns the headers of Standard Webhooks for a message. */
export const signedHeaders = (id: string, body: string, secrets: Secrets, now: Date) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': secrets.map(({ secret }) => new Webhook(secret).sign(id, now, body)).join(' '),
})
