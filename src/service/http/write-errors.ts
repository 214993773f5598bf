import type { FastifyRequest } from 'fastify'
import { toUnavailableError } from '../../engine/postgres/unavailable.ts'
import { withOutcome, writesOf } from '../../engine/postgres/write-outcome.ts'

/** Turns database failures into domain errors. The error of a write says whether the write was committed. */
export const toRequestError = (error: unknown, request: FastifyRequest, isWrite: boolean): unknown =>
  isWrite ? withOutcome(error, writesOf(request).current()) : (toUnavailableError(error) ?? error)
