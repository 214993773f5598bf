import { describe, expect, it } from 'vitest'
import { findAllowedAddresses, isPublicAddress } from '../../../src/calendar/image/storage/allowed-addresses.ts'

describe('public addresses', () => {
  it.each(['93.184.216.34', '1.1.1.1', '2606:4700:4700::1111', '64:ff9b::5db8:d822'])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('addresses that are not public', () => {
  it.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '127.0.0.1', '127.255.0.1', '169.254.169.254', '172.16.0.1', '192.168.1.1'],
    ...['100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.88.99.1'],
    ...[
      '::',
      '::1',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12:3456::1',
      'fec0::1',
      'ff02::1',
      '100::1',
      '2001:db8::1',
    ],
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:93.184.216.34', '::127.0.0.1', '::ffff:0:7f00:1'],
    ...['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1', '2002:7f00:1::1', '2002:5db8:d822::1', '2001::1'],
    ...['3fff::1', '4000::1', '', 'localhost', '127.0.0.1:80', 'x'],
  ])('%j', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('hosts', () => {
  it.each([
    ...[
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://0177.0.0.1/',
      'http://127.1/',
    ],
    ...['http://localhost/', 'http://localhost./', 'http://0/', 'http://[::ffff:7f00:1]/', 'http://nowhere.invalid/'],
  ])('%s is rejected', async (url) => {
    expect((await findAllowedAddresses(new URL(url), ['127.0.0.1:81', 'example.org'])) ?? []).toEqual([])
  })

  it.each([
    ['http://127.0.0.1/', '127.0.0.1'],
    ['http://127.0.0.1/', '127.0.0.1:80'],
    ['https://127.0.0.1/', '127.0.0.1:443'],
    ['http://127.0.0.1:8080/', '127.0.0.1:8080'],
    ['http://[::1]:8080/', '[::1]'],
    ['http://1.1.1.1/', 'another.example.org'],
  ])('%s is allowed if %s is exempt', async (url, exempt) => {
    expect(await findAllowedAddresses(new URL(url), [exempt])).toHaveLength(1)
  })
})
