import type { CreateEventInput, EventTermInput, LanguageCode } from '../../gql/graphql.ts'
import type { Target } from './columns.ts'
import { type DateOrder, readDate, readTime } from './read-date.ts'
import type { Row } from './read-sheet.ts'

/** What people choose about the file. */
export interface Settings {
  readonly columns: Partial<Record<Target, number>>
  readonly dateOrder: DateOrder
  readonly language: LanguageCode
  /** Whether unknown categories and tags are created. */
  readonly createsTerms: boolean
}

/** IDs of existing categories and tags by name or slug, in lower case. */
type Terms = Readonly<Record<'categories' | 'tags', ReadonlyMap<string, string>>>

type CellProblem = 'missing' | 'date' | 'time' | 'endBeforeStart' | 'url' | 'unknownTerm' | 'tooLong'

interface Problem {
  readonly column: Target
  readonly problem: CellProblem
  readonly value: string
}

/** A row as it will be sent, or what is wrong with it. */
export interface Draft {
  readonly row: Row
  readonly title: string
  readonly input: CreateEventInput
  readonly problems: readonly Problem[]
}

/** Splits names in a cell, which `|`, `;` or a comma separate. */
export function splitNames(cell: string): string[] {
  const separator = ['|', ';', ','].find((character) => cell.includes(character)) ?? '|'
  return cell
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** The cell of a row for a target; empty if no column was chosen. */
export const cellOf = ({ cells }: Row, { columns }: Settings, target: Target): string =>
  // Exports put an apostrophe before what would be a formula.
  (cells[columns[target] ?? -1] ?? '').trim().replace(/^'(?=[=+\-@])/, '')

export function toDraft(row: Row, settings: Settings, known: Terms): Draft {
  const problems: Problem[] = []
  const cell = (target: Target) => cellOf(row, settings, target)
  const report = (column: Target, problem: CellProblem, value = cell(column)) =>
    problems.push({ column, problem, value })

  const title = cell('title')
  if (title === '') report('title', 'missing')
  else if (title.length > 200) report('title', 'tooLong')

  const time = (target: 'startTime' | 'endTime') => {
    if (cell(target) === '') return undefined
    const found = readTime(cell(target))
    if (found === undefined) report(target, 'time')
    return found
  }
  const day = (target: 'start' | 'end') => {
    const found = readDate(cell(target), settings.dateOrder)
    if (found === undefined) report(target, cell(target) === '' ? 'missing' : 'date')
    return found
  }
  const start = day('start')
  const startTime = time('startTime') ?? start?.time
  const endTime = time('endTime')
  const end = cell('end') === '' ? start && { date: start.date, time: undefined } : day('end')
  const allDay = startTime === undefined
  const startsLocal = `${start?.date}T${startTime ?? '00:00:00'}`
  const endsLocal = `${end?.date}T${endTime ?? end?.time ?? (allDay ? '23:59:59' : startTime)}`
  if (start && end && endsLocal < startsLocal) report('end', 'endBeforeStart', cell('end') || cell('endTime'))

  const website = cell('website')
  if (website !== '' && !/^https?:\/\/\S+$/.test(website)) report('website', 'url')

  const terms = (target: 'categories' | 'tags'): EventTermInput[] =>
    splitNames(cell(target)).map((name) => {
      const id = known[target].get(name.toLowerCase())
      if (id === undefined && !settings.createsTerms) report(target, 'unknownTerm', name)
      return id === undefined ? { nameOrSlug: name } : { id }
    })
  const venue = cell('venue')
  const organizer = cell('organizer')
  const input: CreateEventInput = {
    ...{ title, status: 'DRAFT', startsLocal, endsLocal, allDay, website },
    ...{ excerpt: cell('excerpt'), description: cell('description') },
    cost: cell('cost') === '' ? [] : [cell('cost')],
    categories: terms('categories'),
    tags: terms('tags'),
    venues: venue ? [{ create: { name: venue, address: cell('address'), city: cell('city'), orExisting: true } }] : [],
    organizers: organizer ? [{ create: { name: organizer, orExisting: true } }] : [],
    // The same event is not created twice if the file is imported again.
    uid: `import-${startsLocal}-${[title, venue].join('-')}`.slice(0, 500),
  }
  return { row, title, input, problems }
}
