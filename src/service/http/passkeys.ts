// Passkeys of a browser: the options for its script, and what the script sends back.
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  addPasskey,
  type PasskeyEnvironment,
  passkeyCreationOptions,
  passkeyRequestOptions,
  verifyPasskey,
} from '../auth/passkeys.ts'
import type { Viewer } from '../auth/permissions.ts'
import type { Environment } from '../context.ts'
import { deviceOf, originOf, startSession } from './sessions.ts'

const withKey = async (environment: Environment): Promise<PasskeyEnvironment> => ({
  ...environment,
  siteKey: (await environment.site).passwordSalt,
})

/** Returns the options of navigator.credentials.get() as JSON. */
export const readRequestOptions = async (environment: Environment): Promise<string> =>
  JSON.stringify(await passkeyRequestOptions(await withKey(environment)))

/** Returns the options of navigator.credentials.create() as JSON. */
export const readCreationOptions = async (environment: Environment, { id }: Viewer): Promise<string> =>
  JSON.stringify(await passkeyCreationOptions(await withKey(environment), id))

/** Signs in with a passkey and sets the cookies. Throws unauthenticated, and tooManyFailuresError. */
export async function signInByPasskey(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  json: string,
): Promise<void> {
  const user = await verifyPasskey(await withKey(environment), json, originOf(request))
  await startSession(environment, request, reply, user)
}

/** Adds a passkey to the viewer, with the browser as name. Returns whether the response of the browser was valid. */
export const savePasskey = async (
  environment: Environment,
  request: FastifyRequest,
  viewer: Viewer,
  json: string,
): Promise<boolean> =>
  addPasskey(await withKey(environment), viewer, { json, name: deviceOf(request) }, originOf(request))
