import { expect, test } from 'vitest'
import { toUnavailableError } from '../../src/engine/postgres/unavailable.ts'

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)
const prisma = (code: string, cause?: object) => error('…', { code, meta: cause && { driverAdapterError: { cause } } })
const transaction = (message: string) => error(`Transaction API error: ${message}`, { code: 'P2028' })
const unavailable = { code: 'UNAVAILABLE', data: { retryAfter: 1 } }

// As the driver and Prisma threw them when a server was stopped, killed, or had no connection left.
test.each([
  ['refused', prisma('P1001', { kind: 'DatabaseNotReachable' })],
  ['refused, of a raw query', prisma('P2010', { kind: 'DatabaseNotReachable' })],
  ['shut down', prisma('P2010', { kind: 'postgres', code: '57P01', originalCode: '57P01' })],
  ['starting', prisma('P2010', { kind: 'postgres', originalCode: '57P03' })],
  ['closed', prisma('P1017', { kind: 'ConnectionClosed' })],
  ['by pg itself', error('terminating connection', { code: '57P01' })],
  ['killed', error('Connection terminated unexpectedly')],
  ['broken in a transaction', error('Client has encountered a connection error and is not queryable')],
  ['no way there', error('connect EHOSTUNREACH', { code: 'EHOSTUNREACH', syscall: 'connect' })],
  ['refused at every address', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
])('away: %s', (_name, thrown) => {
  const message = 'The database cannot be reached. Retry later.'
  expect(toUnavailableError(thrown)).toMatchObject({ ...unavailable, message, cause: thrown })
})

test.each([
  ['no connection free', error('timeout exceeded when trying to connect')],
  ['no connection free, by Prisma', prisma('P2024')],
  ['too many connections', prisma('P2037', { kind: 'TooManyConnections', originalCode: '53300' })],
  ['too many connections, by pg', error('sorry, too many clients already', { code: '53300' })],
  ['a transaction that could not begin', transaction('Unable to start a transaction in the given time.')],
])('busy: %s', (_name, thrown) => {
  const message = 'The service is busy. Retry later.'
  expect(toUnavailableError(thrown)).toMatchObject({ ...unavailable, message, cause: thrown })
})

test.each([
  ['a statement', prisma('P2010', { kind: 'postgres', originalCode: '57014' })],
  ['a statement, by the client', error('The database sent no result in time')],
  ['a transaction', transaction('A query cannot be executed on an expired transaction. The timeout was 9 ms.')],
])('too long: %s', (_name, thrown) => {
  expect(toUnavailableError(thrown)).toMatchObject({
    ...unavailable,
    message: expect.stringMatching(/took too long/),
    cause: thrown,
  })
})

test.each([
  ['of the database, by Prisma', prisma('P2010', { kind: 'postgres', originalCode: '53100' })],
  ['of the database, by pg', error('could not extend file', { code: '53100' })],
  ['of images', error('ENOSPC: no space left on device, write', { code: 'ENOSPC', syscall: 'write' })],
  ['of images, of this user', error('EDQUOT: disk quota exceeded, open', { code: 'EDQUOT', syscall: 'open' })],
])('a full disk: %s', (_name, thrown) => {
  expect(toUnavailableError(thrown)).toMatchObject({ code: 'INSUFFICIENT_STORAGE', data: {}, cause: thrown })
})

test.each([
  ['a value that is taken', prisma('P2002', { kind: 'UniqueConstraintViolation', originalCode: '23505' })],
  ['a deadlock', prisma('P2034', { kind: 'TransactionWriteConflict', originalCode: '40P01' })],
  ['a file that is not there', error('ENOENT', { code: 'ENOENT', syscall: 'open' })],
  ['a mistake of ours', new TypeError('x is undefined')],
  ['nothing', undefined],
])('not away: %s', (_name, thrown) => {
  expect(toUnavailableError(thrown)).toBeUndefined()
})
