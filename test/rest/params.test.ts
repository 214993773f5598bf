import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  createLanguageParam,
  dateParam,
  decimalParam,
  flagParam,
  integerListParam,
  lenientFlagParam,
  nonEmptyTextParam,
  paginationParams,
  parentCategoryParam,
  positiveIntegerParam,
  readParams,
  recordPasswordParam,
  statusListParam,
  strictFlagParam,
  termListParam,
} from '../../src/apis/rest/params.ts'

interface Table {
  readonly param: z.ZodType
  readonly accepts: readonly (readonly [input: unknown, read: unknown])[]
  readonly rejects: readonly unknown[]
}

const nested = { a: '1' }

const tables: Record<string, Table> = {
  'a positive integer': {
    param: positiveIntegerParam,
    accepts: [
      ['12', 12],
      ['12.0', 12],
      ['1e2', 100],
      [' 12 ', 12],
      ['+5', 5],
      ['007', 7],
      [3, 3],
      ['2147483647', 2_147_483_647],
      ['99999999999999999999', 2_147_483_647],
      ['1e400', 2_147_483_647],
      [2_147_483_648, 2_147_483_647],
      [Number.POSITIVE_INFINITY, 2_147_483_647],
    ],
    rejects: ['0', '-1', '1.5', '', ' ', 'x', '1x', '0x10', 'Infinity', 'NaN', '1,2', '１', ['1'], nested, null, true],
  },
  'a flag': {
    param: flagParam,
    accepts: [
      ['true', true],
      ['TRUE', true],
      ['1', true],
      ['false', false],
      ['False', false],
      ['0', false],
      [true, true],
      [false, false],
      [1, true],
      [0, false],
    ],
    rejects: ['', ' 1', 'yes', 'on', 'no', '2', '01', ['1'], ['true'], [], nested, null],
  },
  'text that is not empty': {
    param: nonEmptyTextParam,
    accepts: [
      ['a', 'a'],
      [' ', ' '],
      ['00', '00'],
      ['音楽', '音楽'],
      ["' OR 1=1 --", "' OR 1=1 --"],
    ],
    rejects: ['', '0', 'a\0b', ['a'], nested, 1, null],
  },
  strict_dates: {
    param: strictFlagParam,
    accepts: [
      ['1', true],
      ['true', true],
      ['ON', true],
      ['Yes', true],
      ['0', false],
      ['no', false],
      ['enabled', false],
      ['false', false],
    ],
    rejects: ['', ['1'], nested, null],
  },
  'a date': {
    param: dateParam.transform((parsed) => parsed.resolve('2026-10-15T14:25:36')),
    accepts: [
      ['2018-01-01', { wallClock: '2018-01-01T00:00:00' }],
      ['2018/01/01T10:00', { wallClock: '2018-01-01T10:00:00' }],
      ['1514764800', { wallClock: '2018-01-01T00:00:00', instant: new Date('2018-01-01T00:00:00Z') }],
      [1514764800, { wallClock: '2018-01-01T00:00:00', instant: new Date('2018-01-01T00:00:00Z') }],
      ['tomorrow 9am', { wallClock: '2026-10-16T09:00:00' }],
    ],
    rejects: ['', 'foo', '2018-13-01', ['2018-01-01'], nested, null],
  },
  'a list of integers': {
    param: integerListParam,
    accepts: [
      ['3', [3]],
      ['3,1', [3, 1]],
      [' 3 , 1 ', [3, 1]],
      ['3,,1,', [3, 1]],
      ['3%2C1', [3, 1]],
      [
        ['3', '1'],
        [3, 1],
      ],
      [[3], [3]],
    ],
    rejects: ['', ',', ' , ', [], 'x', '3,x', '3,0', '3,-1', '1.5', '%', '3%2', ['3,1'], [''], [['3']], nested, null],
  },
  'a list of statuses': {
    param: statusListParam,
    accepts: [
      ['publish', ['publish']],
      [' publish ', ['publish']],
      ['publish,publish', ['publish', 'publish']],
      [['publish'], ['publish']],
      ['publish, draft', ['publish', 'draft']],
      [['trash'], ['trash']],
    ],
    rejects: ['', ',', 'any', 'Publish', 'invented', 'publish, invented', [], nested],
  },
  'a password': {
    param: recordPasswordParam,
    accepts: [
      [undefined, undefined],
      ['secret', 'secret'],
    ],
    rejects: ['', '0', ['secret'], nested],
  },
  'a language': {
    param: createLanguageParam(['en', 'fr', 'es']),
    accepts: [
      [undefined, undefined],
      ['fr', 'fr'],
    ],
    rejects: ['', 'de', 'FR', 'fr ', ['fr'], nested],
  },
  'a lenient flag': {
    param: lenientFlagParam,
    accepts: [
      ...['1', 'true', 'TRUE', 'on', 'Yes', 'y', 'enable', 'enabled', 1, -2, true].map(
        (input) => [input, true] as const,
      ),
      ...['0', 'false', '', 'no', 'off', 'enab', 0, false, nested, ['x']].map((input) => [input, false] as const),
    ],
    rejects: [],
  },
  terms: {
    param: termListParam,
    accepts: [
      ['jazz', ['jazz']],
      [' jazz , 12,,Chanson française', ['jazz', '12', 'Chanson française']],
      ['a%2Cb', ['a', 'b']],
      [
        ['a,b', 'c'],
        ['a,b', 'c'],
      ],
      [12, ['12']],
      [
        ['jazz', 7],
        ['jazz', '7'],
      ],
    ],
    rejects: ['', ',', ' , ', [], [[]], [''], ['0'], nested, true, 'a\0'],
  },
  'the number of a parent': {
    param: parentCategoryParam,
    accepts: [
      ['0', 0],
      ['12', 12],
    ],
    rejects: ['', 'x', '-1', '1.5', []],
  },
  'a number of degrees': {
    param: decimalParam(-90, 90),
    accepts: [
      ['48.85', 48.85],
      ['-90', -90],
      [' 1e1 ', 10],
      ['0', 0],
    ],
    rejects: ['', 'x', '90.1', '-91', '1e3', 'NaN', 'Infinity', '0x10', [], true],
  },
}

describe.each(Object.entries(tables))('%s', (_name, { param, accepts, rejects }) => {
  it.each(accepts)('parses %j as %j', (input, read) => {
    expect(param.parse(input)).toEqual(read)
  })

  it.each(rejects.map((input) => [input]))('rejects %j', (input) => {
    expect(param.safeParse(input).success).toBe(false)
  })
})

describe('readParams', () => {
  const shape = {
    ...paginationParams,
    featured: flagParam.optional(),
    search: nonEmptyTextParam.optional(),
    translation_language: createLanguageParam(['en', 'fr']),
  }

  it('adds defaults and ignores undeclared parameters', () => {
    expect(readParams(shape, { unknown: 'x', per_page: '5' })).toEqual({ values: { page: 1, per_page: 5 }, errors: {} })
  })

  it.each(['constructor', '__proto__', 'toString'])('handles the parameter name %s safely', (name) => {
    expect(readParams(shape, JSON.parse(`{"${name}": {"page": "7"}}`)).values).toEqual({ page: 1 })
  })

  it('returns one error for each invalid parameter', () => {
    const params = { page: '0', per_page: 'x', featured: 'yes', translation_language: 'de', search: 'x' }
    const { values, errors } = readParams(shape, params)
    expect(values).toEqual({ search: 'x' })
    expect(errors).toEqual({
      page: expect.stringMatching(/whole number/),
      per_page: expect.stringMatching(/whole number/),
      featured: expect.stringMatching(/true/),
      translation_language: expect.stringMatching(/en, fr/),
    })
  })
})
