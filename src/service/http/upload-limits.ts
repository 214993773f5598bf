import type { Settings } from '../../basics/env.ts'
import { may } from '../auth/permissions.ts'
import type { Client } from '../context.ts'

/** Limits of a multipart body, in bytes. */
export interface BodyLimits {
  /** All fields together. */
  readonly fields: number
  /** All files together; 0 for users who may not upload, so that the service does not read their files. */
  readonly files: number
}

export const bodyLimitsOf = ({ viewer }: Client, { bodyLimit, imageBytes }: Settings): BodyLimits => ({
  fields: bodyLimit,
  files: may(viewer, 'upload') ? imageBytes : 0,
})
