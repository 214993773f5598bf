// The table of docs/configuration.md has every setting, with the default that it has.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSettings, type Settings, settingKeys } from '../../src/basics/env.ts'

const page = readFileSync('docs/configuration.md', 'utf8')
const rows = [...page.matchAll(/^\| ([A-Z_]+) \| ([^|]+) \|/gm)].map(([, name = '', value = '']) => ({ name, value }))
const names = Object.fromEntries(settingKeys.map(({ key, name }) => [name, key]))

test('every setting is in the table, once', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(names).sort())
})

const withDefault = rows.filter(({ value }) => /^`[^`]+`$/.test(value) && !value.includes('PORT'))

describe('defaults', () => {
  test.each(withDefault)('$name is $value', ({ name, value }) => {
    const key = names[name] as keyof Settings
    const [settings, defaults] = [readSettings({ [name]: value.slice(1, -1) }), readSettings({})]
    expect(settings[key]).toEqual(defaults[key])
  })
})
