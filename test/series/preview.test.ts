// The dates and the words of a schedule.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

interface Schedule {
  readonly timeZone?: string
  readonly allDay?: boolean
  readonly recurrences: readonly { startsLocal: string; endsLocal: string; rule: string }[]
  readonly extraDates?: readonly { startsLocal: string; endsLocal?: string }[]
  readonly excludedDates?: readonly string[]
}

const document = `query ($schedule: ScheduleInput!, $first: Int) { previewSchedule(schedule: $schedule, first: $first) {
  dates { startsLocal endsLocal startsAt endsAt isExtra } totalCount isEndless warnings
  en: words fr: words(language: FR) es: words(language: ES) } }`

async function preview(schedule: Schedule, first = 12, at = '2026-01-01T00:00:00Z') {
  app.clock.now = new Date(at)
  const { body } = await editor.graphql(document, { schedule, first })
  expect(body.errors).toBeUndefined()
  return body.data.previewSchedule
}

const once = (timeZone: string, startsLocal: string, rule: string, hours = 1): Schedule => {
  const ends = new Date(Date.parse(`${startsLocal}Z`) + hours * 3_600_000).toISOString().slice(0, 19)
  return { timeZone, recurrences: [{ startsLocal, endsLocal: ends, rule }] }
}

describe('dates', () => {
  test.each([
    [
      'the clocks are set back',
      'Europe/Paris',
      '2026-10-15T19:00:00',
      'FREQ=WEEKLY;COUNT=4',
      ['2026-10-15T17', '2026-10-22T17', '2026-10-29T18', '2026-11-05T18'],
    ],
    [
      'a gap is left out, and not counted',
      'Europe/Paris',
      '2027-03-27T02:30:00',
      'FREQ=DAILY;COUNT=3',
      ['2027-03-27T01', '2027-03-29T00', '2027-03-30T00'],
    ],
    [
      'a gap at midnight',
      'Africa/Cairo',
      '2027-04-23T00:30:00',
      'FREQ=WEEKLY;COUNT=3',
      ['2027-04-22T22', '2027-05-06T21', '2027-05-13T21'],
    ],
    [
      'the first of two equal local times',
      'Europe/Paris',
      '2026-10-24T02:30:00',
      'FREQ=DAILY;COUNT=2',
      ['2026-10-24T00', '2026-10-25T00'],
    ],
    [
      'UNTIL in a repeated hour',
      'Europe/Amsterdam',
      '2020-10-24T02:30:00',
      'FREQ=DAILY;UNTIL=20201025T010000Z',
      ['2020-10-24T00', '2020-10-25T00'],
    ],
    [
      'a day that does not exist',
      'Pacific/Apia',
      '2011-12-29T10:00:00',
      'FREQ=DAILY;COUNT=3',
      ['2011-12-29T20', '2011-12-30T20', '2011-12-31T20'],
    ],
    [
      'UNTIL is an instant, and inclusive',
      'America/Los_Angeles',
      '2026-09-01T20:00:00',
      'FREQ=DAILY;UNTIL=20260904T030000Z',
      ['2026-09-02T03', '2026-09-03T03', '2026-09-04T03'],
    ],
    [
      'UNTIL is a day, and included',
      'Europe/Paris',
      '2026-09-01T20:00:00',
      'FREQ=DAILY;UNTIL=20260903',
      ['2026-09-01T18', '2026-09-02T18', '2026-09-03T18'],
    ],
  ])('%s', async (_name, zone, start, rule, hours) => {
    const { dates } = await preview(once(zone, start, rule), 12, `${start.slice(0, 10)}T00:00:00Z`)
    expect(dates.map(({ startsAt }: { startsAt: string }) => startsAt.slice(0, 13))).toEqual(hours)
  })

  test.each([
    ['31 January, monthly', '2026-01-31', 'FREQ=MONTHLY;COUNT=3', '2026-01-31 2026-03-31 2026-05-31'],
    ['29 February, yearly', '2024-02-29', 'FREQ=YEARLY;COUNT=3', '2024-02-29 2028-02-29 2032-02-29'],
    [
      'the last working day but one',
      '2026-09-29',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=3',
      '2026-09-29 2026-10-29 2026-11-27',
    ],
    [
      'the first and last working day of the week',
      '2027-01-04',
      'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1;COUNT=4',
      '2027-01-04 2027-01-08 2027-01-11 2027-01-15',
    ],
    [
      'weeks that begin on Monday',
      '2026-08-04',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
      '2026-08-04 2026-08-09 2026-08-18 2026-08-23',
    ],
    [
      'weeks that begin on Sunday',
      '2026-08-04',
      'FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
      '2026-08-04 2026-08-16 2026-08-18 2026-08-30',
    ],
    ['a fifth Saturday', '2026-01-31', 'FREQ=MONTHLY;BYDAY=5SA;COUNT=3', '2026-01-31 2026-05-30 2026-08-29'],
    ['the first date counts', '2026-09-01', 'FREQ=WEEKLY;BYDAY=FR;COUNT=3', '2026-09-01 2026-09-04 2026-09-11'],
  ])('%s', async (_name, day, rule, expected) => {
    const { dates } = await preview(once('Europe/Paris', `${day}T19:00:00`, rule), 12, '2024-02-01T00:00:00Z')
    const days = dates.map(({ startsLocal }: { startsLocal: string }) => startsLocal.slice(0, 10))
    expect(days.slice(0, expected.split(' ').length).join(' ')).toBe(expected)
  })

  test('an end after midnight is at the same time of day in the night of a change of the clocks', async () => {
    const { dates } = await preview(once('Europe/Paris', '2026-10-17T22:00:00', 'FREQ=WEEKLY;COUNT=3', 5.5))
    expect(dates[1]).toMatchObject({ endsLocal: '2026-10-25T03:30:00', endsAt: '2026-10-25T02:30:00.000Z' })
  })

  test('whole days over a change of the clocks', async () => {
    const schedule = { ...once('Europe/Paris', '2026-10-24T00:00:00', 'FREQ=DAILY;COUNT=3'), allDay: true }
    const { dates } = await preview(schedule)
    expect(dates.map(({ startsLocal, endsLocal }: Record<string, string>) => `${startsLocal} ${endsLocal}`)).toEqual(
      ['24', '25', '26'].map((day) => `2026-10-${day}T00:00:00 2026-10-${day}T23:59:59`),
    )
  })

  test('COUNT comes before excluded dates, extra dates take place all the same', async () => {
    const schedule = {
      ...once('Europe/Paris', '2026-04-01T19:00:00', 'FREQ=DAILY;COUNT=3', 2),
      excludedDates: ['2026-04-02'],
      extraDates: [{ startsLocal: '2026-04-05T20:00:00' }],
    }
    const { dates, totalCount } = await preview(schedule)
    expect(
      dates.map(({ startsLocal, endsLocal, isExtra }: Record<string, unknown>) => [startsLocal, endsLocal, isExtra]),
    ).toEqual([
      ['2026-04-01T19:00:00', '2026-04-01T21:00:00', false],
      ['2026-04-03T19:00:00', '2026-04-03T21:00:00', false],
      ['2026-04-05T20:00:00', '2026-04-05T21:00:00', true],
    ])
    expect(totalCount).toBe(3)
  })

  test('several recurrences, each with its time of day', async () => {
    const recurrences = [
      { startsLocal: '2026-09-01T10:00:00', endsLocal: '2026-09-01T18:00:00', rule: 'FREQ=WEEKLY;BYDAY=TU,WE,TH,FR' },
      { startsLocal: '2026-09-05T11:00:00', endsLocal: '2026-09-05T17:00:00', rule: 'FREQ=WEEKLY;BYDAY=SA' },
    ]
    const { dates, isEndless, totalCount, en } = await preview(
      { timeZone: 'Europe/Paris', recurrences },
      6,
      '2026-08-01T00:00:00Z',
    )
    const times = dates.map(({ startsLocal }: { startsLocal: string }) => startsLocal.slice(8, 13))
    expect([times, isEndless]).toEqual([['01T10', '02T10', '03T10', '04T10', '05T11', '08T10'], true])
    expect(totalCount).toBeGreaterThan(500)
    expect(en).toBe('every Tuesday, Wednesday, Thursday and Friday and every Saturday')
  })

  test('an explicit date in a gap is moved forward', async () => {
    const schedule = {
      ...once('Europe/Paris', '2027-03-26T02:30:00', 'FREQ=DAILY;COUNT=1'),
      extraDates: [{ startsLocal: '2027-03-28T02:30:00' }],
    }
    expect((await preview(schedule)).dates[1]).toMatchObject({ startsLocal: '2027-03-28T03:30:00' })
  })
})

test.each([
  ['FREQ=DAILY', 'every day', 'tous les jours', 'todos los días'],
  ['FREQ=DAILY;INTERVAL=3;COUNT=5', 'every 3 days, 5 times', 'tous les 3 jours, 5 fois', 'cada 3 días, 5 veces'],
  ['FREQ=WEEKLY', 'every Tuesday', 'tous les mardis', 'todos los martes'],
  [
    'FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630',
    'every second Tuesday until 30 June 2027',
    'un mardi sur deux jusqu’au 30 juin 2027',
    'un martes de cada dos hasta el 30 de junio de 2027',
  ],
  [
    'FREQ=WEEKLY;BYDAY=SU,SA',
    'every Saturday and Sunday',
    'tous les samedis et dimanches',
    'todos los sábados y domingos',
  ],
  [
    'FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,FR',
    'every 3 weeks on Tuesday and Friday',
    'toutes les 3 semaines, les mardis et vendredis',
    'cada 3 semanas, los martes y viernes',
  ],
  [
    'FREQ=MONTHLY;BYDAY=2TU',
    'on the second Tuesday of every month',
    'le deuxième mardi de chaque mois',
    'el segundo martes de cada mes',
  ],
  [
    'FREQ=MONTHLY;BYDAY=-1FR',
    'on the last Friday of every month',
    'le dernier vendredi de chaque mois',
    'el último viernes de cada mes',
  ],
  ['FREQ=MONTHLY', 'on day 1 of every month', 'le 1er de chaque mois', 'el día 1 de cada mes'],
  [
    'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
    'on the last day of every month, 3 times',
    'le dernier jour de chaque mois, 3 fois',
    'el último día de cada mes, 3 veces',
  ],
  ['FREQ=YEARLY', 'on 1 September every year', 'le 1er septembre de chaque année', 'el 1 de septiembre de cada año'],
  [
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR;UNTIL=20261001T213000Z',
    'every second week on Tuesday and Friday until 1 October 2026',
    'une semaine sur deux, les mardis et vendredis jusqu’au 1er octobre 2026',
    'cada dos semanas, los martes y viernes hasta el 1 de octubre de 2026',
  ],
  // In Paris, it is the next day.
  [
    'FREQ=DAILY;UNTIL=20261001T223000Z',
    'every day until 2 October 2026',
    'tous les jours jusqu’au 2 octobre 2026',
    'todos los días hasta el 2 de octubre de 2026',
  ],
  [
    'FREQ=DAILY;BYDAY=SA,SU',
    'every Saturday and Sunday',
    'tous les samedis et dimanches',
    'todos los sábados y domingos',
  ],
  [
    'FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2;INTERVAL=2',
    'on the second Tuesday of every second month',
    'le deuxième mardi, un mois sur deux',
    'el segundo martes, cada dos meses',
  ],
  [
    'FREQ=MONTHLY;BYMONTHDAY=1,15,-1',
    'on days 1 and 15 and the last day of every month',
    'les 1er et 15 et le dernier jour de chaque mois',
    'los días 1 y 15 y el último día de cada mes',
  ],
  [
    'FREQ=YEARLY;BYMONTH=8;BYDAY=-1SU;INTERVAL=2',
    'on the last Sunday of August every second year',
    'le dernier dimanche d’août, une année sur deux',
    'el último domingo de agosto, cada dos años',
  ],
  [
    'FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=5;COUNT=1',
    'on 1 May every year, once',
    'le 1er mai de chaque année, une fois',
    'el 1 de mayo de cada año, una vez',
  ],
  ['FREQ=MONTHLY;BYMONTHDAY=-3', 'on several dates', 'à plusieurs dates', 'en varias fechas'],
  ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-2;COUNT=1', 'on one date', 'à une date', 'en una fecha'],
  ['FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-2;COUNT=3', 'on 3 dates', 'à 3 dates', 'en 3 fechas'],
])('%s in words', async (rule, en, fr, es) => {
  expect(await preview(once('Europe/Paris', '2026-09-01T19:00:00', rule))).toMatchObject({ en, fr, es })
})

test('excluded and extra dates in words', async () => {
  const schedule = {
    ...once('Europe/Paris', '2026-09-01T19:00:00', 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630'),
    excludedDates: ['2026-12-08', '2026-12-22'],
    extraDates: [{ startsLocal: '2027-01-09T19:00:00' }],
  }
  expect(await preview(schedule)).toMatchObject({
    en: 'every second Tuesday until 30 June 2027, except 8 and 22 December, also on 9 January',
    fr: 'un mardi sur deux jusqu’au 30 juin 2027, sauf les 8 et 22 décembre, et aussi le 9 janvier',
    es: 'un martes de cada dos hasta el 30 de junio de 2027, excepto los días 8 y 22 de diciembre, también el 9 de enero',
    warnings: [],
  })
})

test('rules that differ in their time of day are named once, and many days are counted', async () => {
  const recurrences = ['10', '15'].map((hour) => ({
    ...{ startsLocal: `2026-09-01T${hour}:00:00`, endsLocal: `2026-09-01T${hour}:30:00`, rule: 'FREQ=DAILY;COUNT=99' },
  }))
  const days = Array.from({ length: 13 }, (_, index) => `2026-10-${index + 10}`)
  expect(await preview({ timeZone: 'Europe/Paris', recurrences, excludedDates: days })).toMatchObject({
    en: 'every day, 99 times, except 13 dates',
    fr: 'tous les jours, 99 fois, sauf 13 dates',
    es: 'todos los días, 99 veces, excepto 13 fechas',
  })
  expect(
    await preview({ timeZone: 'Europe/Paris', recurrences, excludedDates: ['2026-10-01', '2026-10-08', '2026-11-01'] }),
  ).toMatchObject({
    en: 'every day, 99 times, except 1 and 8 October and 1 November',
    fr: 'tous les jours, 99 fois, sauf les 1er et 8 octobre et le 1er novembre',
    es: 'todos los días, 99 veces, excepto los días 1 y 8 de octubre y el 1 de noviembre',
  })
})

test('warnings name dates that do not exist, and excluded days without a date', async () => {
  const schedule = {
    ...once('Europe/Paris', '2027-03-27T02:30:00', 'FREQ=DAILY;COUNT=3'),
    excludedDates: ['2027-05-01'],
  }
  expect((await preview(schedule)).warnings).toEqual([
    'There is no date on 2027-03-28: the clocks are set forward, and 02:30 does not exist on that day.',
    'The series has no date on 2027-05-01, which is excluded.',
  ])
})

test('warnings of the same kind are one, which names the first days and counts the others', async () => {
  const nightly = once('Europe/Paris', '2027-03-27T02:30:00', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20500101')
  const schedule = {
    ...nightly,
    recurrences: [
      ...nightly.recurrences,
      ...once('Europe/Paris', '2027-03-26T02:15:00', 'FREQ=WEEKLY;BYDAY=FR,SU;UNTIL=20280401').recurrences,
    ],
    excludedDates: ['2027-05-01', '2027-05-03'],
  }
  expect((await preview(schedule)).warnings).toEqual([
    'There is no date on 2027-03-28 and 2028-03-26: the clocks are set forward, and 02:15 does not exist on those days.',
    'There is no date on 2027-03-28, 2028-03-26, 2029-03-25 and 20 other days: the clocks are set forward, and 02:30 does not exist on those days.',
    'The series has no date on 2027-05-01 and 2027-05-03, which are excluded.',
  ])
})

test('warnings are in the language of the operation, or in another', async () => {
  const nightly = once('Europe/Paris', '2027-03-27T02:30:00', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20270401')
  const document = `query ($schedule: ScheduleInput!) { previewSchedule(schedule: $schedule) { warnings es: warnings(language: ES) } }`
  const schedule = { ...nightly, excludedDates: ['2027-03-27', '2027-05-01', '2027-05-03'] }
  app.clock.now = new Date('2026-01-01T00:00:00Z')
  expect((await editor.graphql(document, { schedule }, '/fr')).body.data.previewSchedule).toEqual({
    warnings: [
      'Il n’y a pas de date le 2027-03-28\u00a0: les horloges sont avancées, et 02:30 n’existe pas ce jour-là.',
      'La série n’a pas de date les 2027-05-01 et 2027-05-03, jours qui sont exclus.',
      'La série n’a aucune date.',
    ],
    es: [
      'No hay fecha el 2027-03-28: se adelantan los relojes, y las 02:30 no existen ese día.',
      'La serie no tiene fecha los días 2027-05-01 y 2027-05-03, que están excluidos.',
      'La serie no tiene ninguna fecha.',
    ],
  })
})

test('a schedule that leaves out many days still says what else is not as intended', async () => {
  const nightly = once('Europe/Paris', '2027-03-27T02:30:00', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;COUNT=99')
  expect((await preview({ ...nightly, excludedDates: ['2027-03-27'] })).warnings).toEqual([
    expect.stringContaining('2027-03-28, 2028-03-26, 2029-03-25 and 4'),
    'The schedule has no date.',
    expect.stringContaining('there are too many'),
  ])
})

test.each([
  ['FREQ=DAILY;COUNT=3;UNTIL=20270101', 'both COUNT and UNTIL'],
  ['FREQ=HOURLY', 'repeats within a day'],
  ['FREQ=YEARLY;RSCALE=CHINESE;BYMONTH=1;BYMONTHDAY=1', 'another calendar than the Gregorian'],
  ['FREQ=SOMETIMES', 'FREQ=SOMETIMES is not a part of a rule'],
  ['', 'FREQ is missing'],
])('the rule %j is refused', async (rule, reason) => {
  const { body } = await editor.graphql(document, { schedule: once('Europe/Paris', '2026-09-01T19:00:00', rule) })
  expect(body.errors[0]).toMatchObject({ message: expect.stringContaining(reason), extensions: { code: 'BAD_INPUT' } })
})

test.each<[string, Schedule, string]>([
  [
    'dates that last more than a year',
    once('Europe/Paris', '2026-09-01T19:00:00', 'FREQ=YEARLY', 366 * 24),
    'more than a year',
  ],
  ['a rule that starts at the end of time', once('UTC', '9999-12-30T19:00:00', 'FREQ=DAILY'), 'after the year 9998'],
  [
    'an extra date at the end of time',
    {
      ...once('UTC', '2026-09-01T19:00:00', 'FREQ=DAILY;COUNT=2'),
      extraDates: [{ startsLocal: '9999-12-30T19:00:00' }],
    },
    'after the year 9998',
  ],
])('%s: refused', async (_name, schedule, reason) => {
  const { body } = await editor.graphql(document, { schedule })
  expect(body.errors[0]).toMatchObject({ message: expect.stringContaining(reason), extensions: { code: 'BAD_INPUT' } })
})

test('a rule without an end has its dates until the end of time', async () => {
  const { dates } = await preview(once('UTC', '9998-12-30T19:00:00', 'FREQ=DAILY'))
  expect(dates.map(({ startsLocal }: { startsLocal: string }) => startsLocal.slice(0, 10))).toEqual([
    '9998-12-30',
    '9998-12-31',
  ])
})

test.each(['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;INTERVAL=100000'])(
  '%s has only its first date',
  async (rule) => {
    expect((await preview(once('Europe/Paris', '2026-09-01T19:00:00', rule))).totalCount).toBe(1)
  },
)

test('visitors and subscribers may not preview', async () => {
  for (const client of [app, await app.signIn('subscriber')]) {
    const { body } = await client.graphql(document, {
      schedule: once('Europe/Paris', '2026-09-01T19:00:00', 'FREQ=DAILY'),
    })
    expect(['UNAUTHENTICATED', 'FORBIDDEN']).toContain(body.errors[0].extensions.code)
  }
})
