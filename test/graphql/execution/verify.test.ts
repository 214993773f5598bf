// EXECUTION=verify: which results of compiled execution and graphql-js count as equal.
import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { isSameResult } from '../../../src/engine/execution/verify.ts'

const error = (message: string, ...path: (string | number)[]) => new GraphQLError(message, { path })

describe('equal', () => {
  test.each([
    ['data', { data: { a: 1 } }, { data: { a: 1 } }],
    [
      'errors in another order',
      { data: { a: null, b: null }, errors: [error('x', 'a'), error('y', 'b')] },
      { data: { a: null, b: null }, errors: [error('y', 'b'), error('x', 'a')] },
    ],
    [
      'one more error below a null further up',
      { data: null, errors: [error('x', 'a'), error('y', 'b')] },
      { data: null, errors: [error('y', 'b')] },
    ],
  ])('%s', (_, one, other) => {
    expect([isSameResult(one, other), isSameResult(other, one)]).toEqual([true, true])
  })
})

describe('not equal', () => {
  test.each([
    ['values', { data: { a: 1 } }, { data: { a: 2 } }],
    ['the order of fields', { data: { a: 1, b: 2 } }, { data: { b: 2, a: 1 } }],
    ['an error that is missing', { data: { a: null } }, { data: { a: null }, errors: [error('x', 'a')] }],
    ['messages', { data: { a: null }, errors: [error('x', 'a')] }, { data: { a: null }, errors: [error('y', 'a')] }],
    [
      'no error in common below a null further up',
      { data: null, errors: [error('x', 'a')] },
      { data: null, errors: [error('y', 'b')] },
    ],
    [
      'paths of errors in a list',
      { data: { a: [null, null] }, errors: [error('x', 'a', 0)] },
      { data: { a: [null, null] }, errors: [error('x', 'a', 1)] },
    ],
  ])('%s', (_, one, other) => {
    expect([isSameResult(one, other), isSameResult(other, one)]).toEqual([false, false])
  })
})
