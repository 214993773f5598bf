// Files as spreadsheet programs and other sites write them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { csvOf, openSheets, type Sheets } from './sheet.ts'

let app: TestApp
let sheets: Sheets
beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris', END_OF_DAY_CUTOFF: '05:00' })
  sheets = await openSheets(app)
})
afterAll(async () => {
  sheets.close()
  await app.close()
})

const stored = async (id: number | undefined) =>
  app.db.event.findUniqueOrThrow({ where: { id }, include: { texts: { where: { language: 'fr' } } } })

const lines = 'title:fr;start;end\r\n"Fête ; « d\'été »";2027-06-01 18:00;2027-06-01T20:00:30\r\n'

/** Bytes of Mac OS Roman by those of Latin-1: ê « » é. */
const roman: Readonly<Record<number, number>> = { 234: 0x90, 171: 0xc7, 187: 0xc8, 233: 0x8e }

const encoded: readonly [name: string, content: string | Uint8Array, csv?: object][] = [
  ['UTF-8', lines],
  ['UTF-8 with a byte order mark', `\uFEFF${lines}`],
  ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${lines}`, 'utf16le')],
  ['UTF-16 without one', Buffer.from(lines, 'utf16le')],
  ['UTF-16 with the last byte first', Buffer.from(`\uFEFF${lines}`, 'utf16le').swap16()],
  [
    'Mac OS Roman by option',
    Buffer.from(lines, 'latin1').map((byte) => roman[byte] ?? byte),
    { encoding: 'macintosh' },
  ],
  ['latin1 by option', Buffer.from(lines, 'latin1'), { encoding: 'latin1' }],
  ['a line that declares the delimiter', `sep=;\r\n${lines}`],
  [
    'carriage returns, with more commas than semicolons',
    `${lines.replace('end', 'end;excerpt:fr').slice(0, -2)};${'a, '.repeat(9)}\r`.replaceAll('\r\n', '\r'),
  ],
  ['carriage returns, with a line that declares the delimiter', `sep=;\r${lines.replaceAll('\r\n', '\r')}`],
  ['tabs', lines.replace('Fête ;', 'Fête @').replaceAll(';', '\t').replace('@', ';')],
  ['line feeds, an empty line and empty cells at the end', `\n${lines.replaceAll('\r\n', ';;\n')}\n;;\n`],
]

test.each(encoded)('a file in %s is read', async (_, content, csv = {}) => {
  const report = await sheets.importCsv(content, { csv })
  expect(report.errors).toEqual([])
  const event = await stored(report.changes[0]?.id)
  expect(event.texts[0]?.name).toBe("Fête ; « d'été »")
  expect(event.endsLocal.toISOString()).toBe('2027-06-01T20:00:30.000Z')
})

const unreadable: readonly [name: string, content: string | Uint8Array, message: RegExp, options?: object][] = [
  ['in another encoding', Buffer.from(lines, 'latin1'), /not in the encoding utf-8.*--encoding latin1/],
  [
    'in Windows-1252',
    Buffer.from(lines, 'latin1'),
    /looks like Windows-1252, in which line 2 is "\\"Fête ; « d'été ».*Add --encoding latin1, or save it as UTF-8/,
  ],
  [
    'in Mac OS Roman',
    Buffer.from(lines, 'latin1').map((byte) => roman[byte] ?? byte),
    /looks like Mac OS Roman, in which line 2 is "\\"Fête ; « d'été ».*Add --encoding macintosh/,
  ],
  [
    'in UTF-8 with errors',
    Buffer.concat([Buffer.from(lines), Buffer.from([0xe9]), Buffer.from(' bal;a;b')]),
    /looks like UTF-8 with errors, the first in line 3: "\ufffd bal;a;b"\. Correct it there/,
  ],
  ['in UTF-8 that is cut off', Buffer.concat([Buffer.from(lines), Buffer.from([0xc3])]), /utf-8: its end is missing/],
  [
    'in UTF-8, called latin1',
    lines,
    /The file is UTF-8, not windows-1252. Leave out --encoding/,
    { csv: { encoding: 'latin1' } },
  ],
  [
    'in UTF-8, called UTF-16',
    lines,
    /not in the encoding utf-16le; it looks like utf-8/,
    { csv: { encoding: 'utf-16le' } },
  ],
  [
    'in UTF-16, called latin1',
    Buffer.from(`\uFEFF${lines}`, 'utf16le'),
    /not in the encoding windows-1252; it looks like utf-16le/,
    { csv: { encoding: 'latin1' } },
  ],
  ['of Excel', Buffer.from('PK\x03\x04\x14\0\x06\0', 'latin1'), /Save it there as CSV in UTF-8/],
  ['without rows', '', /empty.*first row/],
  [
    'with an unknown column',
    csvOf(['Titel', 'start'], ['a', 'b']),
    /unknown column Titel.*columns are id, title.*--mapping/,
  ],
  ['with an unknown language', csvOf(['title:de'], ['a']), /languages are en, fr, es/],
  ['with a column twice', csvOf(['start', 'start'], ['a', 'b']), /column start twice/],
  ['with a row that is too short', 'title,start\r\na\r\n', /Row 2 has 1 cells, but the first row has 2/],
  ['with a row that is too long', 'title,start\r\na,b,c\r\n', /Row 2 has 3 cells/],
  ['with an open quote', 'title,start\r\n"a,b\r\nc,d\r\n', /Row 2 is not CSV with the delimiter ","/],
  ['with a cell that is too long', `title\r\n"${'x'.repeat(2_100_000)}"\r\n`, /Row 2 is not CSV/],
]

test.each(unreadable)('a file %s is refused before anything is written', async (_, content, message, options = {}) => {
  const before = await app.db.event.count()
  await expect(sheets.importCsv(content, options)).rejects.toThrow(message)
  expect(await app.db.event.count()).toBe(before)
})

const dated = async (cells: Readonly<Record<string, string>>, mapping?: object) => {
  const content = csvOf(['title', ...Object.keys(cells)], ['Dated', ...Object.values(cells)])
  const report = await sheets.importCsv(content, { ...(mapping && { mapping }) })
  if (report.errors.length > 0) return report.errors.map(({ column, message }) => `${column}: ${message}`)
  const { startsLocal, endsLocal, allDay } = await stored(report.changes[0]?.id)
  return [startsLocal, endsLocal].map((date) => date.toISOString().slice(0, 19)).concat(allDay ? ['all day'] : [])
}

test('dates and times may have columns of their own, formats, offsets and durations', async () => {
  const evening = ['2027-06-01T18:00:00', '2027-06-01T20:30:00']
  expect(await dated({ start_date: '2027-06-01', start_time: '18:00', end_time: '20.30' })).toEqual(evening)
  expect(await dated({ start: '2027-06-01T18:00', duration: '2:30' })).toEqual(evening)
  expect(await dated({ start: '2027-06-01T16:00:00Z', end: '2027-06-01T20:30:00+02:00' })).toEqual(evening)
  const french = { dates: ['dd/mm/yyyy hh:mm', 'dd/mm/yyyy'] }
  expect(await dated({ start: '01/06/2027 18:00', end: '1/6/2027 20:30' }, french)).toEqual(evening)
  const american = { dates: 'mm/dd/yy hh:mm am' }
  expect(await dated({ start: '6/1/27 6:00 PM', end: '6/1/27 8:30 pm' }, american)).toEqual(evening)
  expect(await dated({ start_date: '2027-06-01', start_time: '22h', end_time: '2:00' })).toEqual([
    '2027-06-01T22:00:00',
    '2027-06-02T02:00:00',
  ])
  const wholeDays = ['2027-06-01T05:00:00', '2027-06-03T04:59:59', 'all day']
  expect(await dated({ start: '2027-06-01', end: '2027-06-02', all_day: 'Oui' })).toEqual(wholeDays)
  expect(await dated({ start: '2027-06-01', all_day: 'x' })).toEqual([wholeDays[0], '2027-06-02T04:59:59', 'all day'])
})

test('in an hour that the clocks repeat, an offset says which of the two times is meant', async () => {
  const columns = ['title', 'start', 'end', 'duration']
  const second = '2027-10-31T02:30:00+01:00'
  const { changes, errors } = await sheets.importCsv(
    csvOf(
      columns,
      ['Second', second, '2027-10-31T02:45:00+01:00', ''],
      ['First', '2027-10-31T02:30:00+02:00', '', '60'],
      ['Without an offset', '2027-10-31T02:30', second, ''],
    ),
  )
  expect(errors).toEqual([])
  const ids = changes.map(({ id }) => id)
  const instants = () =>
    Promise.all(
      ids.map(async (id) => {
        const { startsAt, endsAt } = await stored(id)
        return [startsAt, endsAt].map((date) => date.toISOString().slice(11, 16)).join('–')
      }),
    )
  const written = ['01:30–01:45', '00:30–01:30', '00:30–01:30']
  expect(await instants()).toEqual(written)
  // An export says it as well, and the local time alone changes nothing.
  const exported = await sheets.exportCsv('events', { filter: { include: ids.map(String) } })
  expect(exported).toContain(second)
  const local = exported.replaceAll(/(T02:\d\d:00)\+0[12]:00/g, '$1')
  for (const content of [exported, local]) expect((await sheets.importCsv(content)).unchanged).toBe(3)
  await sheets.importCsv(exported.replaceAll('02:30:00+02:00', '02:30:00+01:00'))
  expect(await instants()).toEqual([written[0], '01:30–01:30', '01:30–01:30'])
})

test('dates that can mean different days, and cells of other kinds, are errors', async () => {
  expect(await dated({ start: '1/2/2027 18:00', end: '2027-06-01' })).toEqual([
    expect.stringMatching(/^start: .*different days/),
    expect.stringMatching(/^end: .*has no time/),
  ])
  expect(await dated({ start: '31/02/2027', duration: 'long' }, { dates: 'dd/mm/yyyy' })).toEqual([
    expect.stringMatching(/^start: .*not a date that exists/),
    expect.stringMatching(/^duration: "long" is not a duration in minutes/),
  ])
  expect(await dated({ start: 'soon', end: '2027-06-01T20:00' })).toEqual([
    expect.stringMatching(/^start: "soon" is not a date such as 2027-01-31T18:00/),
  ])
})

test.each(['#REF!', '#N/A', '#VALUE!', '#DIV/0!', '#NAME?', '#¡VALOR!', '#¿NOMBRE?', '#NOM?', 'Err:502', '########'])(
  'the error %s of a formula is no value',
  async (error) => {
    const row = { start: '2027-06-01T18:00', end: '2027-06-01T20:00' }
    expect(await dated({ ...row, cost: error })).toEqual([
      `cost: "${error}" is the error of a formula. Correct the formula, or write a value.`,
    ])
    expect(await dated({ ...row, 'title:fr': `${error} ?` })).toHaveLength(2)
  },
)

test('an apostrophe before a value, as spreadsheet programs write it, is left out', async () => {
  const row = { start: "'2027-06-01 18:00", duration: "'120", featured: "'true", all_day: "'no" }
  expect(await dated(row)).toEqual(['2027-06-01T18:00:00', '2027-06-01T20:00:00'])
})

test('a JSON file in another encoding is an error', async () => {
  const event = { title: 'Fête', start: '2027-06-01T18:00', end: '2027-06-01T20:00' }
  for (const text of [JSON.stringify([event]), `${JSON.stringify(event)}\n`]) {
    const written = Buffer.from(text, 'latin1')
    await expect(sheets.importJson(written)).rejects.toThrow(/looks like Windows-1252.*Fête.*Save it as UTF-8/)
    expect(await sheets.importJson(Buffer.from(`\ufeff${text}`, 'utf16le'))).toMatchObject({ created: 1, errors: [] })
  }
})

test('a mapping names, joins, fills and translates the columns of a foreign file', async () => {
  const content = [
    ' ID;TITULO;FECHA;HORA;TIPO;PUBLICO;LUGAR;CLASE-VIA;VIA;GRATIS;OTRO',
    'm-1;Concierto;01/06/2027;18:00;/actividades/Musica;Niños, Jóvenes;Sala Azul;Calle;Mayor 1;1;x',
  ].join('\r\n')
  const mapping = {
    columns: {
      ID: 'uid',
      TITULO: 'title:es',
      FECHA: ['start_date', 'end_date'],
      HORA: 'start_time',
      TIPO: 'categories',
      PUBLICO: 'tags',
      LUGAR: 'venues',
      'CLASE-VIA': 'venue_address',
      VIA: 'venue_address',
      GRATIS: 'cost',
    },
    constants: { time_zone: 'Europe/Madrid', venue_city: 'Madrid', end_time: '20:00' },
    values: { categories: { '/actividades/Musica': 'Music|Concerts' }, cost: { '1': 'Gratis', '0': '' } },
    lists: { tags: ',' },
    dates: 'dd/mm/yyyy',
  }
  const report = await sheets.importCsv(content, { mapping, createMissing: true })
  expect([report.errors, report.ignoredColumns, report.created]).toEqual([[], ['OTRO'], 1])
  const { body } = await app.graphql(
    `query ($id: ID!) { event(id: $id) { uid title startsLocal endsLocal timeZone costEntries tags { name }
      categories { name } venues { name address city } } }`,
    { id: report.changes[0]?.id },
    '/es',
  )
  expect(body.data.event).toEqual({
    uid: 'm-1',
    title: 'Concierto',
    startsLocal: '2027-06-01T18:00:00',
    endsLocal: '2027-06-01T20:00:00',
    timeZone: 'Europe/Madrid',
    costEntries: ['Gratis'],
    tags: [{ name: 'Jóvenes' }, { name: 'Niños' }],
    categories: [{ name: 'Concerts' }, { name: 'Music' }],
    venues: [{ name: 'Sala Azul', address: 'Calle Mayor 1', city: 'Madrid' }],
  })
  expect(await sheets.importCsv(content, { mapping })).toMatchObject({ unchanged: 1, updated: 0, errors: [] })
})

test('JSON rows may be nested, anywhere in a document, or one per line', async () => {
  const rows = [
    {
      title: { fr: 'Lu', en: 'Read' },
      timings: [{ begin: '2027-06-01T18:00:00+02:00' }],
      tags: ['a', 'b|c'],
      featured: true,
    },
  ]
  const mapping = {
    columns: { 'title.fr': 'title:fr', 'title.en': 'title:en', 'timings.0.begin': 'start' },
    constants: { duration: '90' },
    rows: 'data.events',
  }
  const report = await sheets.importJson(JSON.stringify({ data: { events: rows } }), { mapping, createMissing: true })
  expect([report.errors, report.created]).toEqual([[], 1])
  const event = await stored(report.changes[0]?.id)
  expect([event.texts[0]?.name, event.featured, event.endsLocal.toISOString()]).toEqual([
    'Lu',
    true,
    '2027-06-01T19:30:00.000Z',
  ])
  const ndjson = '{"title":"One","start":"2027-06-01T18:00","end":"2027-06-01T20:00","cost":null}\n\n{"title":"Two"}\n'
  expect((await sheets.importJson(ndjson)).errors).toEqual([
    { row: 3, column: 'start', message: 'A start is required.' },
    { row: 3, column: 'end', message: 'An end is required.' },
  ])
  await expect(sheets.importJson('[1]')).rejects.toThrow('Row 1 is not an object')
  await expect(sheets.importJson('{"title":')).rejects.toThrow(/Line 1 is not JSON/)
})
