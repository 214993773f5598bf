// The query `previewSchedule`: the dates of a schedule before a series is written, with the rule in words.
import { badInputError, inputProblemsError } from '../../basics/errors.ts'
import { checkInputSize } from '../../basics/input-limits.ts'
import { dateToWallClock } from '../../basics/time.ts'
import { requirePermission } from '../../service/auth/permissions.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { isLocalDateTime } from '../../service/graphql/scalars.ts'
import { maxRecurrences, ScheduleInput } from '../event/schedule-input.ts'
import { type ExpandedSchedule, expandSchedule, type SeriesDate } from './expand-schedule.ts'
import type { SeriesScheduleInput } from './schedule.ts'
import { describeWarnings } from './schedule-warnings.ts'
import { describeSchedule } from './schedule-words.ts'

/** A page of the calendar of two years has room for them. */
const maxPreviewed = 1000
/** Takes about 100 ms to compute, at most 200 ms. */
const maxComputed = 2500

const SeriesDateObject = builder.objectRef<SeriesDate>('SeriesDate').implement({
  description: 'A date of a series.',
  fields: (t) => ({
    startsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Local start.',
      resolve: ({ startsLocal }) => dateToWallClock(startsLocal),
    }),
    endsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Local end.',
      resolve: ({ endsLocal }) => dateToWallClock(endsLocal),
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'Start.' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', description: 'End.' }),
    isExtra: t.exposeBoolean('isExtra', { description: 'Whether the date is an extra date, not one of a rule.' }),
  }),
})

interface Preview extends ExpandedSchedule {
  readonly first: number
  readonly language: string
}

const inLanguage = builder.args((t) => ({
  language: t.field({
    type: LanguageCode,
    description: 'Language of the words. Default: the language of the operation.',
  }),
}))

export const wordsFieldOptions = {
  description:
    'The schedule in words, without times of day, such as "every second Tuesday until 30 June 2027, except 24 December".',
  args: inLanguage,
}

const SchedulePreview = builder.objectRef<Preview>('SchedulePreview').implement({
  description:
    'The dates of a schedule. Dates of an endless schedule are computed for 24 months ahead, or as long as the site sets.',
  fields: (t) => ({
    dates: t.field({
      type: [SeriesDateObject],
      description: 'The first dates, in order of their start.',
      resolve: ({ dates, first }) => dates.slice(0, first),
    }),
    totalCount: t.int({
      description: `Number of all dates that were computed: at most the first ${maxComputed} of the rules.`,
      resolve: ({ dates }) => dates.length,
    }),
    isEndless: t.exposeBoolean('isEndless', { description: 'Whether a rule has neither COUNT nor UNTIL.' }),
    words: t.string({
      ...wordsFieldOptions,
      resolve: (preview, { language }) => describeSchedule(preview, language ?? preview.language, () => preview),
    }),
    warnings: t.field({
      type: ['String'],
      description:
        'What may not be as intended: dates that are left out because the clocks change, excluded dates without effect, missing dates.',
      args: inLanguage,
      resolve: (preview, { language }) => describeWarnings(preview, language ?? preview.language),
    }),
  }),
})

/** Throws badInputError if a schedule has too many parts, or too long ones. */
export function requireValidSize(schedule: SeriesScheduleInput): void {
  const { problems } = checkInputSize({ schedule })
  if (problems.length > 0) throw inputProblemsError(problems)
  if (schedule.recurrences.length > maxRecurrences)
    throw badInputError({ schedule: `A schedule can have at most ${maxRecurrences} recurrences.` })
  const invalid = (schedule.excludedDates ?? []).flatMap((text, index) =>
    isDayOrTime(text)
      ? []
      : {
          path: ['schedule', 'excludedDates', index],
          message: `Send a day such as 2026-12-24, or a local time of a date: ${JSON.stringify(text)} is neither.`,
        },
  )
  if (invalid.length > 0) throw inputProblemsError(invalid)
}

const isDayOrTime = (text: string) => isLocalDateTime(text.length === 10 ? `${text}T00:00:00` : text)

builder.queryField('previewSchedule', (t) =>
  t.field({
    type: SchedulePreview,
    description: 'The dates of a schedule, with the schedule in words. For users who may write events.',
    extensions: complexity({ weight: 200, slicingArguments: ['first'] }),
    args: {
      schedule: t.arg({ type: ScheduleInput, required: true, description: 'When the series takes place.' }),
      first: t.arg.int({ description: `Maximum of dates. Default: 10, at most ${maxPreviewed}.` }),
    },
    resolve: (_root, { schedule, first }, { viewer, now, settings, language }) => {
      requirePermission(viewer, 'write')
      requireValidSize(schedule)
      if (first != null && (first < 1 || first > maxPreviewed))
        throw badInputError({ first: `Send a number from 1 to ${maxPreviewed}.` })
      const expanded = expandSchedule(schedule satisfies SeriesScheduleInput, now, settings, { maxDates: maxComputed })
      return { ...expanded, first: first ?? 10, language }
    },
  }),
)
