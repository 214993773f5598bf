import type { FastifyRequest } from 'fastify'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'
import { addOutcomeToError, writesOfRequest } from '../../engine/postgres/write-outcome.ts'

/** Turns database failures into domain errors. The error of a write says whether the write was committed. */
export const toRequestError = (error: unknown, request: FastifyRequest, isWrite: boolean): unknown =>
  isWrite ? addOutcomeToError(error, writesOfRequest(request).current()) : (toUnavailableError(error) ?? error)
