// Domain errors as legacy errors for read requests (contract d.2 to d.4).
import { describe, expect, it } from 'vitest'
import { errorBody, type ResourceName, toLegacyError } from '../../src/apis/rest/errors.ts'
import {
  badInputError,
  notAccessibleError,
  notFoundError,
  passwordRequiredError,
  trashedError,
  unauthenticatedError,
  wrongKindError,
} from '../../src/basics/errors.ts'

const legacyBody = (error: unknown, resource?: ResourceName) => {
  const legacyError = toLegacyError(error, resource)
  if (!legacyError) throw error
  return errorBody(legacyError)
}

describe.each<[ResourceName, string, Record<string, [number, string]>]>([
  [
    'events',
    'event',
    {
      'unknown ID': [404, 'rest-event-not-found'],
      'ID of another kind': [400, 'rest-invalid-event-id'],
      'unknown slug': [400, 'rest_invalid_param'],
      trashed: [403, 'event-no-longer-available'],
      'not public': [403, 'event-not-accessible'],
      protected: [403, 'event-password-protected'],
    },
  ],
  ...(['venue', 'organizer'] as const).map((kind): [ResourceName, string, Record<string, [number, string]>] => [
    `${kind}s`,
    kind,
    {
      'unknown ID': [400, 'rest_invalid_param'],
      'ID of another kind': [400, 'rest_invalid_param'],
      'unknown slug': [400, 'rest_invalid_param'],
      trashed: [403, `${kind}-not-accessible`],
      'not public': [403, `${kind}-not-accessible`],
    },
  ]),
  ['categories', 'category', termErrors()],
  ['tags', 'tag', termErrors()],
])('%s', (resource, kindName, expected) => {
  const kind = kindName as 'event'
  const errors: Record<string, Error> = {
    'unknown ID': notFoundError(kind, 'id'),
    'ID of another kind': wrongKindError(kind, 'image'),
    'unknown slug': notFoundError(kind, 'slug'),
    trashed: trashedError(kind),
    'not public': notAccessibleError(kind),
    protected: passwordRequiredError(kind),
  }

  it.each(Object.entries(expected))('%s: %j', (name, [status, code]) => {
    expect(legacyBody(errors[name], resource)).toMatchObject({ code, data: { status } })
  })
})

function termErrors(): Record<string, [number, string]> {
  return { 'unknown ID': [400, 'rest_invalid_param'], 'ID of another kind': [400, 'rest_invalid_param'] }
}

it('the error of an invalid parameter names it and the accepted values', () => {
  expect(legacyBody(badInputError({ translation_language: 'One of en, fr.' }), 'events')).toStrictEqual({
    code: 'rest_invalid_param',
    message: expect.stringContaining('translation_language'),
    data: { status: 400, params: { translation_language: 'One of en, fr.' }, details: {} },
  })
})

it.each([
  ['id', notFoundError('venue', 'id')],
  ['slug', notFoundError('venue', 'slug')],
  ['id', wrongKindError('venue', 'event')],
])('a missing record is an invalid %s', (name, error) => {
  expect(legacyBody(error, 'venues').data.params).toEqual({ [name]: error.message })
})

it('an invalid credential is 401 for all resources, with only the status as data', () => {
  const body = { code: 'rest_forbidden', message: expect.any(String), data: { status: 401 } }
  expect(legacyBody(unauthenticatedError(), 'tags')).toStrictEqual(body)
  expect(legacyBody(unauthenticatedError())).toStrictEqual(body)
})

it('other errors have no legacy error', () => {
  expect(toLegacyError(new Error('connection lost'), 'events')).toBeUndefined()
})
