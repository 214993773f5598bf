// The input that says when a series takes place.
import { maxItems } from '../../basics/input-limits.ts'
import { builder } from '../../service/graphql/builder.ts'

export const maxRecurrences = 20

const RecurrenceInput = builder.inputType('RecurrenceInput', {
  description: 'Dates that a rule repeats.',
  fields: (t) => ({
    startsLocal: t.field({
      type: 'LocalDateTime',
      required: true,
      description:
        'Local start of the first date, which also gives the time of day of the others. COUNT counts it, even if the rule does not match it.',
    }),
    endsLocal: t.field({ type: 'LocalDateTime', required: true, description: 'Local end of the first date.' }),
    rule: t.string({
      required: true,
      description:
        'Recurrence rule of iCalendar (RFC 5545), such as `FREQ=WEEKLY;INTERVAL=2;UNTIL=20270630`. UNTIL is inclusive.',
    }),
  }),
})

const ExtraDateInput = builder.inputType('ExtraDateInput', {
  description: 'A date that no rule has.',
  fields: (t) => ({
    startsLocal: t.field({ type: 'LocalDateTime', required: true, description: 'Local start.' }),
    endsLocal: t.field({
      type: 'LocalDateTime',
      description: 'Local end. Default: at the time of day of the first recurrence.',
    }),
  }),
})

export const ScheduleInput = builder.inputType('ScheduleInput', {
  description: 'When a series takes place.',
  fields: (t) => ({
    timeZone: t.string({ description: 'Time zone of all local times. Default: the time zone of the site.' }),
    allDay: t.boolean({ description: 'Whether the dates are whole days; times of day are ignored then.' }),
    recurrences: t.field({
      type: [RecurrenceInput],
      required: true,
      description: `Rules that repeat a date, such as Tuesday to Friday at 10:00, and Saturday at 11:00. At most ${maxRecurrences}. Send an empty list for a schedule of extra dates only.`,
    }),
    extraDates: t.field({ type: [ExtraDateInput], description: `Further dates. At most ${maxItems}.` }),
    excludedDates: t.stringList({
      description: `Days such as 2026-12-24, or local times, at which the series does not take place. Extra dates take place all the same. At most ${maxItems}.`,
    }),
  }),
})
