import { expect, test } from 'vitest'
import { generateSecret } from '../../src/service/auth/secrets.ts'
import { masked } from '../docs/blocks.ts'

const secrets = Array.from({ length: 500 }, generateSecret)

test('a secret consists of 43 letters and digits, each drawn from all 62', () => {
  for (const secret of secrets) expect(secret).toMatch(/^[a-zA-Z0-9]{43}$/)
  expect(new Set(secrets).size).toBe(secrets.length)
  expect(new Set(secrets.join('')).size).toBe(62)
})

test('the comparison of a document with what is printed replaces every secret, and nothing longer or shorter', () => {
  for (const secret of secrets) {
    expect(masked(`password  ${secret}\n`)).toBe('password  <secret>')
    for (const other of [`${secret}x`, secret.slice(1), `${secret}-x`, `x_${secret}`]) expect(masked(other)).toBe(other)
  }
})
